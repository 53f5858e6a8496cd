import { resolve } from "node:path/posix";

/** Where programs are looked up without a `PATH`. */
export const DEFAULT_PATH = "/bin:/usr/bin";

/** The search path, and the folder in which relative paths start. */
export interface SearchOptions {
  /** @default {DEFAULT_PATH} */
  readonly path?: string | undefined;
  /** @default {the server's working folder} */
  readonly cwd?: string | undefined;
}

/**
 * Resolves with the path of a program, found as execvp(3) does; rejects as the start of a program
 * would if there is none.
 */
export async function findProgram(
  program: string,
  { path = DEFAULT_PATH, cwd = "." }: SearchOptions = {},
): Promise<string> {
  let isDenied = false;
  for (const folder of program.includes("/") ? [""] : path.split(":")) {
    const file = resolve(cwd, folder, program);
    const found = await Deno.stat(file).catch(() => undefined);
    if (found?.isFile === true && ((found.mode ?? 0) & 0o111) !== 0) return file;
    isDenied ||= found !== undefined;
  }
  throw isDenied ? new Deno.errors.PermissionDenied(program) : new Deno.errors.NotFound(program);
}

/** The folder that the server was started in, or `undefined` if it was removed. */
export function workingFolder(): string | undefined {
  try {
    return Deno.cwd();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Imports a package on first use. Deno can't do that while the working folder is removed. */
export async function loadPackage<Module>(
  name: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    if (workingFolder() !== undefined) throw cause;
    throw new Error(
      `Cannot load "${name}": the server's working folder was removed; start the server again`,
      { cause },
    );
  }
}

/** Names of variables that shells can hold and export (POSIX.1-2024, 3.216). */
export const SHELL_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Variables that change what a shell or the dynamic linker does before a program runs, and those that
 * shells don't pass on unchanged.
 */
export const SHELLS_OWN =
  /^(LD_.*|BASH.*|SHELLOPTS|POSIXLY_CORRECT|PS4|ENV|IFS|OPTIND|PPID|E?UID|GLIBC_TUNABLES)$/;

/** Shells set these by themselves. */
export const SHELLS_FOLDERS = ["PWD", "OLDPWD"] as const;

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
