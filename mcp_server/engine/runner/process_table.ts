import { createHelperTable } from "./helper_table.ts";
import type { ProcessTable } from "./live_process.ts";
import { createProcTable } from "./proc_table.ts";

/**
 * Picks how processes are looked up, at the first look: in `/proc` where this process may read it
 * (Deno asks for `--allow-all`), else through `sh`, `grep`, `cat` and `ls`, found on `path`. Where
 * there is no `/proc`, as on macOS, only the run's group is known.
 */
export function createProcessTable(path: string): ProcessTable {
  let picked: ProcessTable | undefined;
  const pick = () => picked ??= pickTable(path);
  return { find: (run) => pick().find(run), holders: (run) => pick().holders(run) };
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

/** Knows of a run's group only whether it is empty, and asks the kernel with signal 0. */
export function createGroupTable(): ProcessTable {
  return {
    find: ({ group }) => Promise.resolve(isEmpty(group) ? [] : [{ pid: group, group }]),
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
