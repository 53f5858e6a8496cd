import type { CgroupFiles } from "./cgroup_files.ts";
import { createKeptShell } from "./kept_shell.ts";

/**
 * Opens the files: directly if this process may (Deno requires `--allow-all` below `/sys` and
 * `/proc`), otherwise through one `sh` that is kept, found on `path`.
 */
export function openCgroupFiles(path: string): CgroupFiles {
  try {
    Deno.readTextFileSync("/proc/self/cgroup");
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return createKeptShell(path);
  }
  return createDirectFiles();
}

/** Each access takes some 30 microseconds, which is less than handing it to another thread. */
function createDirectFiles(): CgroupFiles {
  const files = {
    read: (file: string) => Promise.try(() => unlessGone("", () => Deno.readTextFileSync(file))),
    write: (file: string, text: string) =>
      Promise.try(() => Deno.writeTextFileSync(file, text, { create: false })),
    folders: (folder: string) => Promise.try(() => unlessGone([], () => foldersIn(folder))),
    make: (folder: string, names: readonly string[]) =>
      Promise.try(() => {
        for (const name of names) Deno.mkdirSync(`${folder}/${name}`, { recursive: true });
      }),
    remove: (folder: string, names: readonly string[]) =>
      Promise.try(() => {
        for (const name of names) removeIfEmpty(`${folder}/${name}`);
      }),
    link: (file: string) => Promise.try(() => Deno.readLinkSync(file)),
  };
  return {
    ...files,
    moveServer: (folder) => files.write(`${folder}/cgroup.procs`, String(Deno.pid)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function foldersIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].filter((e) => e.isDirectory).map(({ name }) => name);
}

function removeIfEmpty(folder: string): void {
  try {
    Deno.removeSync(folder);
  } catch {
    // It is in use, or another server has removed it.
  }
}

function unlessGone<T>(fallback: T, look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return fallback;
    // ESRCH and ENODEV: the process has ended, or the group was removed. Deno has no class for them.
    if (error instanceof Error && /\(os error (3|19)\)/.test(error.message)) return fallback;
    throw error;
  }
}
