import { SHELL_NAME, SHELLS_FOLDERS, SHELLS_OWN } from "../shared/variable_names.ts";

/** Variables by name. */
export type Env = Readonly<Record<string, string>>;

/** The variable that identifies every process that a run starts. */
export const RUN_COOKIE = "MCP_RUN_ID";

const SECRET = /^(MCP_.*|PG.*|DATABASE_URL|.*PASSPHRASE.*|OTEL_.*HEADERS)$/i;

/** Nobody sits at the terminal of a command: nothing may wait for a password, a pager or an editor. */
const UNATTENDED: Env = Object.freeze({
  GIT_TERMINAL_PROMPT: "0",
  GIT_EDITOR: "true",
  GIT_PAGER: "cat",
  PAGER: "cat",
  DEBIAN_FRONTEND: "noninteractive",
});

/**
 * Removes the server's own settings and secrets from its environment: every `MCP_*` and `PG*`,
 * `DATABASE_URL`, the credentials of an OpenTelemetry collector, and whatever is named like a
 * passphrase. The cookie of an outer server stays, so that it still finds what this server starts.
 * Adds what keeps programs from asking.
 */
export function toBaseEnv(env: Env): Env {
  const kept = Object.entries(env).filter(([name]) => name === RUN_COOKIE || !SECRET.test(name));
  return { ...Object.fromEntries(kept), ...UNATTENDED };
}

/**
 * The environment of one run: the base, overridden by the call's own variables, and both by the
 * cookie, which is the run's id after those of outer servers.
 */
export function toChildEnv(base: Env, runId: string, extra: Env = {}): Record<string, string> {
  const outer = base[RUN_COOKIE];
  return { ...base, ...extra, [RUN_COOKIE]: outer === undefined ? runId : `${outer} ${runId}` };
}

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
