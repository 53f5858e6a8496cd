import { createHelperTable } from "./helper_table.ts";
import type { ProcessTable } from "./live_process.ts";
import { createProcTable } from "./proc_table.ts";

/**
 * Chooses how to look up processes, at the first scan: in `/proc` if this process may read it (Deno
 * requires `--allow-all`), otherwise with `sh`, `grep`, `cat` and `ls`, found on `path`. If there
 * is no `/proc`, as on macOS, only the run's group is known.
 */
export function createProcessTable(path: string): ProcessTable {
  let picked: ProcessTable | undefined;
  const pick = () => picked ??= pickTable(path);
  return {
    find: (run) => pick().find(run),
    marked: (id) => pick().marked(id),
    holders: (run, others) => pick().holders(run, others),
  };
}

function pickTable(path: string): ProcessTable {
  try {
    Deno.readTextFileSync("/proc/self/stat");
    return createProcTable();
  } catch (error) {
    const closed = error instanceof Deno.errors.NotCapable && Deno.build.os === "linux";
    return closed ? createHelperTable(path) : createGroupTable();
  }
}

/** Finds out only whether a run's group is empty, by signal 0. */
export function createGroupTable(): ProcessTable {
  return {
    find: ({ group }) => Promise.resolve(isEmpty(group) ? [] : [{ pid: group, group }]),
    marked: () => Promise.resolve([]),
    holders: () => Promise.resolve([]),
  };
}

function isEmpty(group: number): boolean {
  try {
    Deno.kill(-group, 0);
    return false;
  } catch (error) {
    return error instanceof Deno.errors.NotFound;
  }
}
