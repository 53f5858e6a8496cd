import { resolve } from "node:path/posix";
import type { CommandSpec } from "../tool/command.ts";

/** Where programs are looked up without a `PATH`. */
export const DEFAULT_PATH = "/bin:/usr/bin";

/** So many programs are remembered. */
const MOST = 64;

/**
 * Finds programs as the start of a child does, for a start that goes through a shell, which could
 * not report a missing one in the same way.
 */
export class ProgramFinder {
  readonly #found = new Map<string, string>();

  /**
   * Resolves with the path of a program; rejects as the start of a program would if there is none. A
   * program that was found on a search path is not looked up again, so it may be gone.
   */
  async find({ program, cwd = "." }: CommandSpec, path: string = DEFAULT_PATH): Promise<string> {
    if (program.includes("/")) return await findFile(program, cwd, [""]);
    const folders = path.split(":").map((folder) => folder || ".");
    if (folders.some((folder) => !folder.startsWith("/"))) {
      return await findFile(program, cwd, folders);
    }
    const key = `${program}:${path}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const file = await findFile(program, cwd, folders);
    if (this.#found.size >= MOST) this.#found.clear();
    this.#found.set(key, file);
    return file;
  }
}

async function findFile(program: string, cwd: string, folders: readonly string[]): Promise<string> {
  let isDenied = false;
  for (const folder of folders) {
    const file = resolve(cwd, folder, program);
    const found = await Deno.stat(file).catch(() => undefined);
    if (found?.isFile === true && ((found.mode ?? 0) & 0o111) !== 0) return file;
    isDenied ||= found !== undefined;
  }
  throw isDenied ? new Deno.errors.PermissionDenied() : new Deno.errors.NotFound();
}
