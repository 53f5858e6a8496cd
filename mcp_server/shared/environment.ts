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
