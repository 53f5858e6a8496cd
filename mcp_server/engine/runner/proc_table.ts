import { isInheritable, parsePipe, parseStat, type PipeEnd } from "./proc_format.ts";
import type { LiveProcess, ProcessTable, RunMark } from "./live_process.ts";

/** Looks processes up in `/proc`, in about 2 ms per hundred of them. */
export function createProcTable(): ProcessTable {
  return {
    find: (run) => Promise.resolve(find(run)),
    holders: (run) => Promise.resolve(holders(run)),
  };
}

function find({ id, group }: RunMark): LiveProcess[] {
  const found: LiveProcess[] = [];
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const process = parseStat(read(`/proc/${name}/stat`));
    if (process === undefined) continue;
    if (process.group === group || read(`/proc/${name}/environ`).includes(id)) found.push(process);
  }
  return found;
}

function holders(run: RunMark): LiveProcess[] {
  const found = find(run);
  if (found.length === 0) return [];
  const own = pipesOf(Deno.pid)
    .filter(({ fd }) => !isInheritable(read(`/proc/self/fdinfo/${fd}`)))
    .map(({ inode }) => inode);
  return found.filter(({ pid }) => pipesOf(pid).some(({ inode }) => own.includes(inode)));
}

function pipesOf(pid: number): PipeEnd[] {
  const folder = `/proc/${pid}/fd`;
  return unlessGone([], () => [...Deno.readDirSync(folder)]).flatMap(({ name }) => {
    const inode = parsePipe(unlessGone("", () => Deno.readLinkSync(`${folder}/${name}`)));
    return inode === undefined ? [] : [{ fd: Number(name), inode }];
  });
}

function read(path: string): string {
  return unlessGone("", () => Deno.readTextFileSync(path));
}

/** Processes end while they are looked at, and those of other users can't be looked into. */
function unlessGone<T>(fallback: T, look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (isGone(error) || error instanceof Deno.errors.PermissionDenied) return fallback;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  if (error instanceof Deno.errors.NotFound) return true;
  // ESRCH: the process has ended, or is a thread of the kernel. Deno has no class for it.
  return error instanceof Error && error.message.includes("(os error 3)");
}
