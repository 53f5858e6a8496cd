import type { CommandSpec, ExecutionResult } from "../tool/command.ts";
import { quote, ToolError } from "../shared/error.ts";
import { DEFAULT_PATH } from "../shared/find_program.ts";
import { type Joining, type Launch, toJoining, whyNotLaunched } from "./join_group.ts";

/** Variables by name. */
export type Env = Readonly<Record<string, string>>;

/** The variable that identifies every process that a run starts. */
export const RUN_COOKIE = "MCP_RUN_ID";

/** The longest part of a path that a message repeats. */
const MOST_QUOTED = 1_000;

const SECRET = /^(MCP_.*|PG.*|DATABASE_URL|.*PASSPHRASE.*|OTEL_.*HEADERS)$/i;

/**
 * Removes the server's own settings and secrets from its environment: every `MCP_*` and `PG*`,
 * `DATABASE_URL`, the credentials of an OpenTelemetry collector, and whatever is named like a
 * passphrase. The cookie of an outer server stays, so that it still finds what this server starts.
 */
export function toBaseEnv(env: Env): Env {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => name === RUN_COOKIE || !SECRET.test(name)),
  );
}

/**
 * The environment of one run: the base, overridden by the call's own variables, and both by the
 * cookie, which is the run's id after those of outer servers.
 */
export function toChildEnv(base: Env, runId: string, extra: Env = {}): Record<string, string> {
  const outer = base[RUN_COOKIE];
  return { ...base, ...extra, [RUN_COOKIE]: outer === undefined ? runId : `${outer} ${runId}` };
}

/** How a child is started. */
export interface StartOptions {
  readonly env: Record<string, string>;
  /** Whether its input is piped; without it, there is none. */
  readonly stdin: boolean;
  /** The control group that the child joins before it runs anything. */
  readonly joining?: Joining | undefined;
}

/** What is started for a command. */
export function toLaunch(spec: CommandSpec, { env, joining }: StartOptions): Launch {
  const launch = { program: spec.program, args: spec.args ?? [], env };
  return joining === undefined ? launch : toJoining(launch, joining);
}

/** Starts a child in its own process group; its output is piped. */
export function startChild(spec: CommandSpec, options: StartOptions): Deno.ChildProcess {
  return spawnLaunch(toLaunch(spec, options), { cwd: spec.cwd, stdin: options.stdin });
}

/** How a launch is spawned. */
export interface SpawnOptions {
  readonly cwd?: string | undefined;
  /** Whether its input is piped; without it, there is none. */
  readonly stdin: boolean;
  /** Whether it gets a session of its own, and with it a process group. @default {true} */
  readonly detached?: boolean;
}

/** The same for what was prepared for a command. */
export function spawnLaunch(
  { program, args, env }: Launch,
  { cwd, stdin, detached = true }: SpawnOptions,
): Deno.ChildProcess {
  return new Deno.Command(program, {
    args: [...args],
    ...(cwd === undefined ? {} : { cwd }),
    clearEnv: true,
    env: { ...env },
    detached,
    stdin: stdin ? "piped" : "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

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

/**
 * Says why a command could not be started. The folder is checked only now: the start fails without
 * it, and commands that do start need not pay for the check.
 */
export async function toStartError(
  cause: unknown,
  { program, cwd }: CommandSpec,
  path: string,
): Promise<ToolError> {
  const refusal = (code: string, state: string) =>
    new ToolError(`Cannot run ${quote(program, MOST_QUOTED)}: ${state}`, { code, cause });
  if (!cwd?.startsWith("/") && !hasWorkingFolder()) {
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

/** Rejects with a `ToolError` if the shell of a start could not become the program. */
export async function ensureLaunched(
  result: ExecutionResult,
  spec: CommandSpec,
  { mark, path = DEFAULT_PATH }: {
    readonly mark: string | undefined;
    readonly path: string | undefined;
  },
): Promise<void> {
  const reason = mark === undefined ? undefined : whyNotLaunched(result, mark);
  if (reason === undefined) return;
  const cause = result.exitCode === NOT_FOUND
    ? new Deno.errors.NotFound(reason)
    : new Error(reason);
  throw await toStartError(cause, spec, path);
}

/** The exit code of shells for a program that is missing (POSIX.1-2024, shell, 2.8.2). */
const NOT_FOUND = 127;

/** Whether the folder that the server was started in still exists. */
function hasWorkingFolder(): boolean {
  try {
    return Deno.cwd() !== "";
  } catch {
    return false;
  }
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
