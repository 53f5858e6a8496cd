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
