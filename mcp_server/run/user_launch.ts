import type { CommandSpec } from "../tool/command.ts";
import { ToolError } from "../shared/error.ts";
import { type Env, findProgram, RUN_COOKIE, SHELL_NAME } from "../shared/environment.ts";
import { type RunAsUser, toSetprivArgs } from "../access/run_as.ts";
import type { Ended, Exec } from "./child.ts";

/** What is passed on to another user's commands: neither secrets nor anything of root's own. */
const KEPT = /^(PATH|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|MCP_RUN_ID)$/;

/** Where the programs of POSIX are. */
const FALLBACK_PATH = "/usr/bin:/bin";

/**
 * The environment in which another user's commands start: as after a login, with the server's
 * locale, and its `PATH` without folders below its own home.
 */
export function toUserEnv(env: Env, { name, home, shell }: RunAsUser): Env {
  const kept = Object.entries(env).filter(([key]) => KEPT.test(key));
  // An entry without a slash at its start is in the working folder, which can be anybody's.
  const path = (env.PATH ?? "").split(":")
    .filter((folder) => folder.startsWith("/") && !isBelow(folder, env.HOME))
    .join(":");
  return {
    ...Object.fromEntries(kept),
    PATH: path || FALLBACK_PATH,
    HOME: home,
    USER: name,
    LOGNAME: name,
    SHELL: shell,
  };
}

function isBelow(path: string, folder = "/"): boolean {
  return folder !== "/" && (path === folder || path.startsWith(`${folder.replace(/\/$/, "")}/`));
}

/** How the command of a user is started. */
interface UserStartOptions {
  /** The trusted environment, with the mark of the run; without the variables of the call. */
  readonly env: Env;
  /** Whether standard input is a pipe. */
  readonly stdin: boolean;
  /**
   * The real path of the only folder in which the command may start. @default {that of the command is
   * entered, wherever it leads}
   */
  readonly folder?: string | undefined;
}

/**
 * What is executed for a command of another user, in two phases. As root: gives the user the pipes,
 * so that `/dev/stdout` can be opened, and becomes the user. As the user: sets the variables of the call and
 * enters its folder. Root runs nothing in an environment that a call has chosen: `LD_PRELOAD` alone
 * would make the call root.
 */
export function toUserExec(
  { program, args = [], cwd, env = {} }: CommandSpec,
  user: RunAsUser,
  options: UserStartOptions,
): Exec {
  const variables = Object.entries(env).filter(([name]) => name !== RUN_COOKIE);
  const passed = variables.map(([name, value], at) => [`${PASSED}${at}`, `${name}=${value}`]);
  const requested = cwd === undefined ? user.folder : cwd.startsWith("/") ? cwd : `./${cwd}`;
  const folder = options.folder ?? requested;
  const enter = folder === undefined ? "shift" : options.folder === undefined ? ENTER : ENTER_REAL;
  const prelude = toPrelude(variables.length, enter);
  return {
    program: "sh",
    args: [
      ...["-c", toRootScript(user, options), "sh", user.setpriv, ...toSetprivArgs(user)],
      ...(prelude === undefined ? [] : ["sh", "-c", prelude, "sh", folder ?? ""]),
      ...[program, ...args],
    ],
    env: { ...options.env, ...Object.fromEntries(passed) },
  };
}

/**
 * The script of the first phase. It changes the owner of pipes only, never of a device: `chown` has
 * no redirection, which some shells make in the shell itself. Files that the server has inherited
 * are closed, as far as all shells can name them.
 */
function toRootScript({ uid }: RunAsUser, { stdin }: UserStartOptions): string {
  const pipes = (stdin ? [0, 1, 2] : [1, 2]).map((fd) => `/proc/$$/fd/${fd}`);
  const guards = pipes.map((pipe) => `[ -p ${pipe} ] && `).join("");
  return `${guards}chown -f ${uid} ${pipes.join(" ")}\nexec "$@" ${CLOSED}`;
}

const CLOSED = [3, 4, 5, 6, 7, 8, 9].map((fd) => `${fd}>&-`).join(" ");

/** The variables that carry those of the call, as `NAME=value`, to the second phase. */
const PASSED = "MCP_CALL_VARIABLE_";

/** The script of the second phase; `undefined` if there is nothing to do in it. */
function toPrelude(variables: number, enter: string): string | undefined {
  if (variables === 0 && enter === "shift") return undefined;
  const exports = Array.from({ length: variables }, (_, at) => `${PASSED}${at}`)
    .flatMap((name) => [`command export "$${name}"`, `unset ${name}`]);
  return [enter, ...exports, 'exec "$@"'].join("\n");
}

/** The exit code of shells for what can't be executed (POSIX.1-2024, shell, 2.8.2). */
const CANNOT_EXECUTE = 126;

/** Enters the folder, or says why not in a line of stderr that has the mark of the run. */
const ENTER = `folder=$1
shift
cd -- "$folder" 2>/dev/null || {
  why=NOT_FOUND
  [ -e "$folder" ] && why=NOT_A_FOLDER
  [ -d "$folder" ] && why=DENIED
  echo "$${RUN_COOKIE} CWD_$why" >&2
  exit ${CANNOT_EXECUTE}
}`;

/** The same, and says so too if a part of the path has become a link since the path was checked. */
const ENTER_REAL = `${ENTER}
[ "$(env pwd -P && echo .)" = "$folder
." ] || {
  echo "$${RUN_COOKIE} CWD_CHANGED" >&2
  exit ${CANNOT_EXECUTE}
}`;

const STATES: Readonly<Record<string, string>> = {
  CWD_NOT_FOUND: "does not exist",
  CWD_NOT_A_FOLDER: "is not a folder",
  CWD_DENIED: "may not be entered by that user",
  CWD_CHANGED: "changed while it was entered",
};

/** Why a command has not run, if its user could not enter its folder. */
export function whyNotEntered(
  { program, cwd = "" }: CommandSpec,
  { name }: RunAsUser,
  { exitCode, stderr }: Ended,
  id: string,
): ToolError | undefined {
  if (exitCode !== CANNOT_EXECUTE || !stderr.includes(id)) return undefined;
  const code = stderr.slice(stderr.indexOf(id) + id.length).trim();
  const state = STATES[code];
  if (state === undefined) return undefined;
  return new ToolError(
    `Cannot run ${JSON.stringify(program)} as the user ${JSON.stringify(name)}: its working ` +
      `folder ${JSON.stringify(cwd)} ${state}`,
    { code },
  );
}

/**
 * The same as {@linkcode toUserExec}; throws what the start of a child throws, or a `ToolError`, if
 * the shells could not report the failure.
 */
export async function toUserStart(
  spec: CommandSpec,
  user: RunAsUser,
  options: UserStartOptions,
): Promise<Exec> {
  const { program, env = {} } = spec;
  const name = Object.keys(env).find((name) => !SHELL_NAME.test(name));
  if (name !== undefined) {
    throw new ToolError(
      `Cannot run ${JSON.stringify(program)} as the user ${JSON.stringify(user.name)}: the name ` +
        `of the variable ${JSON.stringify(name)} has other characters than letters, digits and "_"`,
      { code: "INVALID_ARGUMENT" },
    );
  }
  if (!program.includes("/")) {
    const path = env.PATH ?? options.env.PATH ?? "";
    await findProgram(program, { path, cwd: options.folder ?? spec.cwd ?? user.folder });
  }
  return toUserExec(spec, user, options);
}
