import type { CommandSpec, HeldFolder, TerminalSize } from "../tool/command.ts";
import { messageOf, quote, ToolError } from "../shared/error.ts";
import {
  DEFAULT_PATH,
  type Env,
  findProgram,
  type SearchOptions,
  toChildEnv,
  workingFolder,
} from "../shared/environment.ts";
import type { Log } from "../shared/log.ts";
import type { RunAsUser } from "../access/run_as.ts";
import {
  type Ended,
  type Exec,
  spawnChild,
  toJoining,
  type WaitingShell,
  type WaitingShells,
  whyNotJoined,
} from "./child.ts";
import type { CommandGroup, CommandGroups } from "./command_groups.ts";
import type { ProcessTable } from "./process_table.ts";
import { onTerminal } from "./terminal.ts";
import { toUserEnv, toUserStart, whyNotEntered } from "./user_launch.ts";

/** The longest part of a path that a message repeats. */
const MOST_QUOTED = 1_000;

/**
 * Throws a `ToolError` if no system could run the command unchanged: NUL characters, halves of
 * surrogate pairs, invalid names.
 */
export function ensureRunnable(spec: CommandSpec): void {
  const { program, args = [], cwd = "", env = {}, stdin = "" } = spec;
  const refuse = (state: string) => {
    throw new ToolError(`Cannot run ${quote(program, MOST_QUOTED)}: ${state}`, {
      code: "INVALID_ARGUMENT",
    });
  };
  if (program === "") refuse("the name of the program is empty");
  const check = (what: string, text: string) => {
    if (text.includes("\0")) refuse(`${what} has a NUL character`);
    checkPairs(what, text);
  };
  const checkPairs = (what: string, text: string) => {
    if (text.isWellFormed()) return;
    const at = text.search(/\p{Surrogate}/u);
    refuse(`${what} has half of a surrogate pair at index ${at}, which UTF-8 can't carry`);
  };
  check("the name of the program", program);
  check("the working folder", cwd);
  args.forEach((arg, index) => check(`argument ${index + 1}`, arg));
  for (const [name, value] of Object.entries(env)) {
    if (name === "" || name.includes("=")) {
      refuse(`${quote(name, MOST_QUOTED)} is not a valid variable name`);
    }
    check(`the variable ${quote(name, MOST_QUOTED)}`, name);
    check(`the variable ${quote(name, MOST_QUOTED)}`, value);
  }
  if (typeof stdin === "string") checkPairs("the input", stdin);
}

/** So many programs are remembered. */
const MOST_FOUND = 64;

/** Finds programs, and does not look up again what was found on a search path: it may be gone. */
export class ProgramFinder {
  readonly #found = new Map<string, string>();

  /** Finds a program as {@linkcode findProgram} does. */
  async find(program: string, options: SearchOptions): Promise<string> {
    const { path = DEFAULT_PATH } = options;
    const isFixed = !program.includes("/") &&
      path.split(":").every((folder) => folder.startsWith("/"));
    const key = `${program}:${path}`;
    const file = (isFixed ? this.#found.get(key) : undefined) ??
      await findProgram(program, options);
    if (this.#found.size >= MOST_FOUND) this.#found.clear();
    if (isFixed) this.#found.set(key, file);
    return file;
  }
}

/** What commands are launched with. */
export interface LaunchParts {
  /** The environment that children inherit, without the server's secrets. */
  readonly env: Env;
  readonly table: ProcessTable;
  readonly log: Log;
  /** The control groups; without them, a variable alone identifies the processes of a run. */
  readonly groups?: CommandGroups | undefined;
  /** Shells in such groups. */
  readonly shells?: WaitingShells | undefined;
  readonly programs: ProgramFinder;
  /** The mark of its job, after which its control group is named. */
  readonly mark?: string | undefined;
}

/** A command that was started, and the control group of its processes if there is one. */
interface StartedRun {
  readonly child: Deno.ChildProcess;
  /** The first word of what the launch says if it fails after all. */
  readonly mark?: string;
  /** Finds the processes of the run: those in its group too. */
  readonly table: ProcessTable;
  /** Ends all processes in the group at once. */
  readonly kill?: () => Promise<void>;
  /** Whether the kernel ended the command because it used too much memory. */
  wasOutOfMemory(): Promise<boolean>;
  /** Notes that the command has ended: what runs on in its group does so on purpose. */
  settle(): Promise<void>;
}

/** The start of one command, and what its failures mean. */
interface Launch {
  /**
   * Starts the command, in a control group of its own where there are groups. Rejects with the
   * signal's reason, or with a `ToolError` that says why the command can't be started.
   */
  start(signal: AbortSignal): Promise<StartedRun>;
  /**
   * Says why the child that was started has ended before it was the command: the shells that are to
   * become it join its group and enter its folder. Resolves with `undefined` if the command ran.
   */
  explain(ended: Ended): Promise<ToolError | undefined>;
}

/** Who a command runs as, and with what. */
interface LaunchOptions {
  /** The id of the run. */
  readonly id: string;
  /** What marks the command's processes: that id, after those of its job and its call. */
  readonly cookie: string;
  /** Whether it has input. */
  readonly stdin: boolean;
  readonly user: RunAsUser | undefined;
  /** The terminal on which it runs. @default {none} */
  readonly terminal?: TerminalSize | undefined;
}

/** Prepares the start of a command. */
export function createLaunch(
  spec: CommandSpec,
  { id, cookie, stdin, user, terminal }: LaunchOptions,
  parts: LaunchParts,
): Launch {
  // Without the variables of the call, which another user's command gets later.
  const env = toChildEnv(user === undefined ? parts.env : toUserEnv(parts.env, user), cookie);
  const path = spec.env?.PATH ?? env.PATH ?? "";
  let mark: string | undefined;

  const startIn = async (folder: HeldFolder | undefined): Promise<StartedRun> => {
    const shell = spec.env?.SHELL ?? env.SHELL;
    const command = terminal === undefined
      ? spec
      : await onTerminal(spec, terminal, { path, shell });
    if (user !== undefined) {
      const exec = await toUserStart(command, user, { env, stdin, folder: folder?.realPath });
      return await startContained(exec, stdin, parts);
    }
    const { program, args = [], cwd } = command;
    const own = toChildEnv(parts.env, cookie, command.env);
    const exec = { program, args, env: own, cwd: folder?.path ?? cwd };
    if (folder === undefined) return await startContained(exec, stdin, parts);
    // It is held only until the child has started there, which a shell that waits is too slow for.
    return await startContained(exec, stdin, { ...parts, shells: undefined });
  };

  return {
    start: async (signal) => {
      try {
        await using folder = await spec.holdCwd?.(signal);
        signal.throwIfAborted();
        const started = await startIn(folder);
        mark = started.mark;
        return started;
      } catch (cause) {
        signal.throwIfAborted();
        throw cause instanceof ToolError ? cause : await toStartError(cause, spec, path);
      }
    },
    explain: async (ended) => {
      const refusal = user === undefined ? undefined : whyNotEntered(spec, user, ended, id);
      if (refusal !== undefined) return refusal;
      const cause = mark === undefined ? undefined : whyNotJoined(ended, mark);
      return cause === undefined ? undefined : await toStartError(cause, spec, path);
    },
  };
}

/**
 * Starts a command in a control group of its own, where there are groups: in a shell that waits in
 * one, or in one that joins now. Without a group, the run is only identified by a variable, and the
 * log says so; rejects with a `ToolError` of code `NOT_CONTAINED` if groups are required.
 */
async function startContained(
  exec: Exec,
  stdin: boolean,
  parts: LaunchParts,
): Promise<StartedRun> {
  const { groups, shells, programs, mark: job } = parts;
  if (groups === undefined) return toLoose(spawnChild(exec, { stdin }), parts);
  const { env, cwd } = exec;
  const found = { ...exec, program: await programs.find(exec.program, { path: env.PATH, cwd }) };
  // The group of a job has a name that says so, so no shell waits in it.
  const shell = job === undefined ? await shells?.become(found, { stdin }) : undefined;
  if (shell !== undefined) return toContained(shell, groups, parts);
  const group = await takeGroup(groups, parts);
  if (group === undefined) return toLoose(spawnChild(found, { stdin }), parts);
  const mark = crypto.randomUUID();
  try {
    const child = spawnChild(toJoining(found, { procs: group.procs, mark }), { stdin });
    return toContained({ child, group, mark }, groups, parts);
  } catch (error) {
    await groups.settle(group);
    throw error;
  }
}

function toLoose(child: Deno.ChildProcess, { table }: LaunchParts): StartedRun {
  const wasOutOfMemory = () => Promise.resolve(false);
  return { child, table, wasOutOfMemory, settle: () => Promise.resolve() };
}

function toContained(
  { child, group, mark }: WaitingShell,
  groups: CommandGroups,
  { table, shells, log }: LaunchParts,
): StartedRun {
  return {
    child,
    mark,
    table: {
      find: async (run) => {
        const inside = await group.members();
        if (inside.length > 0) return inside;
        // Only now is it worth a scan of all processes, for what has moved itself out of the group;
        // one that fails, as on a machine with too much to do, says nothing about the group.
        return await table.find(run).catch(() => []);
      },
      marked: (mark) => table.marked(mark),
      holders: async (run) => await table.holders(run, await group.members()),
    },
    kill: () => group.kill(),
    wasOutOfMemory: async () => groups.limitMemory && await group.wasOutOfMemory(),
    settle: async () => {
      try {
        await groups.settle(group);
      } catch (error) {
        log.error("the control group of a command failed", { reason: messageOf(error) });
      }
      shells?.refill();
    },
  };
}

async function takeGroup(
  groups: CommandGroups,
  { mark, log }: LaunchParts,
): Promise<CommandGroup | undefined> {
  try {
    return await groups.take(mark);
  } catch (cause) {
    const reason = messageOf(cause);
    if (groups.required) {
      throw new ToolError(`Cannot run the command in a control group: ${reason}`, {
        code: "NOT_CONTAINED",
        cause,
      });
    }
    log.error("a command runs without a control group", { reason });
    return undefined;
  }
}

/**
 * Says why a command could not be started. The folder is checked only now: the start fails without
 * it, and commands that do start need not pay for the check.
 */
async function toStartError(
  cause: unknown,
  { program, cwd }: CommandSpec,
  path: string,
): Promise<ToolError> {
  const refusal = (code: string, state: string) =>
    new ToolError(`Cannot run ${quote(program, MOST_QUOTED)}: ${state}`, { code, cause });
  if (!cwd?.startsWith("/") && workingFolder() === undefined) {
    return refusal(
      "CWD_NOT_FOUND",
      "the server's working folder was removed; use an absolute working folder, or start the " +
        "server again",
    );
  }
  if (cwd !== undefined) {
    const folder = await lookAt(cwd);
    if (folder === "missing") {
      return refusal(
        "CWD_NOT_FOUND",
        `its working folder ${quote(cwd, MOST_QUOTED)} does not exist`,
      );
    }
    if (folder === "no folder") {
      return refusal(
        "CWD_NOT_A_FOLDER",
        `its working folder ${quote(cwd, MOST_QUOTED)} is not a folder`,
      );
    }
  }
  if (cause instanceof Deno.errors.NotFound) {
    return refusal("PROGRAM_NOT_FOUND", toPlace(program, path));
  }
  if (cause instanceof Deno.errors.PermissionDenied) {
    return refusal("PROGRAM_NOT_EXECUTABLE", "the system denies it, check its mode and its folder");
  }
  return refusal("NOT_STARTED", cause instanceof Error ? cause.message : String(cause));
}

function toPlace(program: string, path: string): string {
  if (program.includes("/")) return "there is no such file, or its first line names a missing one";
  return `no such program on the PATH ${quote(path, MOST_QUOTED)}`;
}

async function lookAt(path: string): Promise<"folder" | "no folder" | "missing" | "unknown"> {
  try {
    const { isDirectory } = await Deno.stat(path);
    return isDirectory ? "folder" : "no folder";
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "missing";
    return error instanceof Deno.errors.NotADirectory ? "no folder" : "unknown";
  }
}
