import { within } from "../shared/concurrency.ts";
import { messageOf } from "../shared/error.ts";
import {
  DEFAULT_PATH,
  type Env,
  findProgram,
  SHELL_NAME,
  SHELLS_FOLDERS,
  SHELLS_OWN,
} from "../shared/environment.ts";
import type { Log } from "../shared/log.ts";
import type { CommandGroup, CommandGroups } from "./command_groups.ts";

/** What a child executes, as execve(2) takes it, and where. */
export interface Exec {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Env;
  /** @default {the server's working folder} */
  readonly cwd?: string | undefined;
}

/**
 * Spawns a child with exactly the given environment; its output is piped, and its input if it has
 * one. Detached, it gets a session of its own, and with it a process group.
 */
export function spawnChild(
  { program, args, env, cwd }: Exec,
  { stdin, detached = true }: { readonly stdin: boolean; readonly detached?: boolean },
): Deno.ChildProcess {
  return new Deno.Command(program, {
    args: [...args],
    cwd,
    clearEnv: true,
    env: { ...env },
    detached,
    stdin: stdin ? "piped" : "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** How a command joins its control group. */
export interface Joining {
  /** The `cgroup.procs` of the group. */
  readonly procs: string;
  /** The first word of the message with which a launch reports that it failed. */
  readonly mark: string;
}

/** The shell that joins the group; nothing that a call has chosen applies before that. */
const SHELL = "/bin/sh";

/**
 * A program that joins its control group by itself, before it runs anything: a process that is moved
 * from outside may have started others by then. A shell joins and becomes the program, whose
 * environment is exactly the given one.
 */
export function toJoining(exec: Exec, { procs, mark }: Joining): Exec {
  const { plain, program } = toShell(exec);
  const folders = SHELLS_FOLDERS.map((name) => exec.env[name] ?? "");
  const script = `echo 0 >"$1"||exit 126;${
    SHELLS_FOLDERS.map((name, at) =>
      exec.env[name] === undefined ? `unset ${name}` : `${name}=$${at + 2}`
    )
      .join(";")
  };shift 3;exec "$@"`;
  const args = ["-c", script, mark, procs, ...folders, ...program];
  return { program: SHELL, args, env: plain, cwd: exec.cwd };
}

/** A line break, for {@linkcode toOrder}, which is one line. */
const NEWLINE = "MCP_NEWLINE";

/**
 * A shell that joins a group, and waits there for the line that says what to become: a process that
 * joins may wait for milliseconds until the kernel lets it.
 */
export function toWaiting(env: Env, { procs, mark }: Joining): Exec {
  const { plain } = toShell({ program: "", args: [], env });
  const script =
    `echo 0 >"$1"||exit 126;shift;${NEWLINE}='\n';read -r MCP_ORDER&&eval "$MCP_ORDER"`;
  return { program: SHELL, args: ["-c", script, mark, procs], env: plain };
}

/** Shells read a line byte by byte. */
const MOST_ORDER = 4_096;

/**
 * The line that makes a shell of {@linkcode toWaiting}, started with `base`, become a program, which
 * may read what follows the line; `undefined` if that takes more than a short line of ASCII.
 */
export function toOrder(exec: Exec, { stdin }: { stdin: boolean }, base: Env): string | undefined {
  const { env, cwd } = exec;
  const { plain, program } = toShell(exec);
  if (Object.keys(base).some((name) => !Object.hasOwn(env, name))) return undefined;
  const changed = Object.entries(plain).filter(([name, value]) => base[name] !== value);
  const exports = changed.map(([name, value]) => `${name}=${quote(value)};export ${name}`);
  const folders = SHELLS_FOLDERS.map((name) => {
    const value = env[name];
    return value === undefined ? `unset ${name}` : `${name}=${quote(value)}`;
  });
  const line = [
    ...(cwd === undefined ? [] : [`cd -P -- ${quote(toPath(cwd))}||exit 126`]),
    ...exports,
    ...folders,
    `exec ${program.map(quote).join(" ")}${stdin ? "" : " </dev/null"}\n`,
  ].join(";");
  return line.length <= MOST_ORDER && /^[\t\x20-\x7e]*\n$/.test(line) ? line : undefined;
}

/** A path that `cd` takes as chdir(2) does: `CDPATH`, and `-` for the last folder, don't apply. */
function toPath(cwd: string): string {
  return cwd.startsWith("/") ? cwd : `./${cwd}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''").replaceAll("\n", `'"$${NEWLINE}"'`)}'`;
}

/** The variables that a shell can hold, and the program, for which `env` sets the others alone. */
function toShell({ program, args, env }: Exec): { plain: Env; program: string[] } {
  const { odd = [], plain = [] } = Object.groupBy(
    Object.entries(env),
    ([name]) => SHELLS_OWN.test(name) || !SHELL_NAME.test(name) ? "odd" : "plain",
  );
  const given = odd.map(([name, value]) => `${name}=${value}`);
  return {
    plain: Object.fromEntries(plain),
    program: [...(given.length > 0 ? ["/usr/bin/env", ...given] : []), program, ...args],
  };
}

/** How a child has ended. */
export interface Ended {
  readonly exitCode: number;
  readonly stderr: string;
}

/** The exit code of shells for a program that is missing (POSIX.1-2024, shell, 2.8.2). */
const NOT_FOUND = 127;

/** What the start of the program would have thrown, if the shell said that it could not become it. */
export function whyNotJoined({ exitCode, stderr }: Ended, mark: string): Error | undefined {
  if (exitCode === 0 || !stderr.startsWith(`${mark}: `)) return undefined;
  const reason = stderr.slice(mark.length + 2).trim();
  return exitCode === NOT_FOUND ? new Deno.errors.NotFound(reason) : new Error(reason);
}

/** A shell that has joined a control group, and becomes the program that it is ordered to. */
export interface WaitingShell {
  readonly child: Deno.ChildProcess;
  readonly group: CommandGroup;
  /** The first word of its messages. */
  readonly mark: string;
}

/** What shells wait with. */
interface WaitingParts {
  readonly groups: Pick<CommandGroups, "take" | "settle">;
  /** The environment that children inherit, without the server's secrets. */
  readonly env: Env;
  readonly log: Log;
}

/** As many as are started one after the other in the time that one takes. */
const WAITING = 2;

/**
 * Shells that wait in control groups for their commands. Joining a group makes the kernel wait for a
 * grace period of RCU, some 10 to 20 ms, unless another process has joined one just before: a shell
 * that has joined earlier makes a command start at least as fast as without groups.
 */
export class WaitingShells {
  readonly #parts: WaitingParts;
  readonly #ready: WaitingShell[] = [];
  #starting: Promise<void> | undefined;
  #closed = false;

  constructor(parts: WaitingParts) {
    this.#parts = parts;
  }

  /** Lets a shell become a program, if one waits and can do that. */
  async become(exec: Exec, options: { stdin: boolean }): Promise<WaitingShell | undefined> {
    if (!await isFolder(exec.cwd)) return undefined;
    const line = toOrder(exec, options, this.#parts.env);
    const shell = line === undefined ? undefined : this.take();
    if (shell === undefined) return undefined;
    const { child } = shell;
    child.ref();
    const writer = child.stdin.getWriter();
    try {
      await writer.write(new TextEncoder().encode(line));
    } catch {
      // Something has ended the shell, and nobody knows that yet: it has read nothing.
      writer.releaseLock();
      await this.#discard(shell);
      return undefined;
    }
    writer.releaseLock();
    if (!options.stdin) await child.stdin.close();
    return shell;
  }

  /** Takes a shell, if one waits; starts others if that was the last. */
  take(): WaitingShell | undefined {
    const shell = this.#ready.shift();
    if (this.#ready.length === 0) this.refill();
    return shell;
  }

  /** Starts shells for those that were taken; best while no command runs that it would delay. */
  refill(): void {
    this.#starting ??= this.#fill();
  }

  /** Resolves when no shell is being started. */
  async settled(): Promise<void> {
    await this.#starting;
  }

  /** Ends the shells that still wait. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.settled();
    await Promise.all(this.#ready.splice(0).map((shell) => this.#end(shell)));
    this.#closed = false;
  }

  async #fill(): Promise<void> {
    // The command that has just been taken goes first.
    await new Promise((resolve) => setTimeout(resolve));
    try {
      while (!this.#closed && this.#ready.length < WAITING) await this.#start();
    } catch (error) {
      this.#parts.log.error("no shell can wait for commands", { reason: messageOf(error) });
    } finally {
      this.#starting = undefined;
    }
  }

  async #start(): Promise<void> {
    const { groups, env } = this.#parts;
    const group = await groups.take();
    const mark = crypto.randomUUID();
    try {
      const child = await spawnSession(toWaiting(env, { procs: group.procs, mark }));
      // A server that does nothing else may end.
      child.unref();
      const shell = { child, group, mark };
      this.#ready.push(shell);
      void child.status.then(() => this.#remove(shell));
    } catch (error) {
      await groups.settle(group);
      throw error;
    }
  }

  /** Removes a shell that something has ended while it waited: it is of no use. */
  async #remove(shell: WaitingShell): Promise<void> {
    const at = this.#ready.indexOf(shell);
    if (at < 0) return;
    this.#ready.splice(at, 1);
    await this.#discard(shell);
  }

  /** Ends a shell that no command needs, and returns its group; never rejects. */
  async #discard(shell: WaitingShell): Promise<void> {
    try {
      await this.#end(shell);
    } catch (error) {
      this.#parts.log.error("the group of a shell can't be returned", { reason: messageOf(error) });
    }
  }

  async #end({ child, group }: WaitingShell): Promise<void> {
    child.ref();
    const closed = [child.stdin.close(), child.stdout.cancel(), child.stderr.cancel()];
    await Promise.allSettled(closed);
    await child.status;
    await this.#parts.groups.settle(group);
  }
}

/** Whether a command can start there; if not, its start says why. */
async function isFolder(cwd: string | undefined): Promise<boolean> {
  const look = async () => (await Deno.stat(cwd ?? Deno.cwd())).isDirectory;
  return await look().catch(() => false);
}

/** How long a program may take to have a session of its own. */
const SESSION_MS = 5_000;
/** Pause between two looks. */
const LOOK_MS = 1;

/**
 * Starts a program with an input, in a session of its own, and resolves once it is there. Deno
 * starts a detached process with fork(2), which copies the page tables of the whole server while
 * nobody is answered: 3 ms for a server of 110 MB. Any other process starts with posix_spawn(3) in
 * 0.3 ms, so the program `setsid`, if it is on `path`, makes the session.
 */
export async function spawnSession(
  exec: Exec,
  { path = DEFAULT_PATH }: { readonly path?: string } = {},
): Promise<Deno.ChildProcess> {
  const setsid = await findProgram("setsid", { path }).catch(() => undefined);
  if (setsid === undefined) return spawnChild(exec, { stdin: true });
  const { program, args } = exec;
  const inSession = { ...exec, program: setsid, args: [program, ...args] };
  const child = spawnChild(inSession, { stdin: true, detached: false });
  await untilLeader(child, program);
  return child;
}

/** Waits until a process leads a group, or has ended; kills one that does neither. */
async function untilLeader(child: Deno.ChildProcess, program: string): Promise<void> {
  const deadline = performance.now() + SESSION_MS;
  while (!isGroup(child.pid) && !await within(child.status, LOOK_MS)) {
    if (performance.now() < deadline) continue;
    child.kill("SIGKILL");
    throw new Error(`Cannot start "${program}": it has no session after ${SESSION_MS / 1_000} s`);
  }
}

/** Whether there is a process group; the leader of a session leads a group too (setsid(2)). */
function isGroup(group: number): boolean {
  try {
    Deno.kill(-group, 0);
    return true;
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound);
  }
}
