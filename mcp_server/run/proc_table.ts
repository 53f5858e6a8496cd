import { within } from "../shared/deadline.ts";
import { inParallel } from "../shared/concurrency.ts";
import {
  type LiveProcess,
  mergeProcesses,
  NO_GROUP,
  type ProcessTable,
  type RunMark,
  shareLooks,
} from "./live_process.ts";
import {
  environBytes,
  EXEC_PAUSES_MS,
  isOutputEnd,
  parsePipe,
  parseStat,
  type PipeEnd,
} from "./proc_format.ts";

/** How many processes are read at once: a fourth more saves no time. */
const AT_ONCE = 4;

/** Reading `environ` waits for a lock of the process, which a stuck process may never release. */
const TIME_OUT_MS = 1_500;

const NO_BYTES = new Uint8Array();

/** Looks up processes in `/proc`, in about 4 ms per hundred and without blocking. */
export function createProcTable(): ProcessTable {
  const find = shareLooks(look);
  return {
    find,
    marked: (id) => find({ id, group: NO_GROUP }),
    holders: async (run, others = []) =>
      await holdersAmong(mergeProcesses(await find(run), others)),
  };
}

async function look(runs: readonly RunMark[]): Promise<LiveProcess[][]> {
  const work = lookAtAll(runs);
  if (await within(work, TIME_OUT_MS)) return await work;
  throw new Error(`Cannot look up processes: /proc did not answer within ${TIME_OUT_MS} ms`);
}

async function lookAtAll(runs: readonly RunMark[]): Promise<LiveProcess[][]> {
  const names = await namesIn("/proc");
  const seen = await inParallel(names.filter((name) => /^\d+$/.test(name)), async (pid) => {
    const stat = await read(`/proc/${pid}/stat`);
    const process = parseStat(stat);
    if (process === undefined) return [];
    const environ = await readEnviron(pid, stat);
    return runs.filter(({ id, group }) => process.group === group || environ.includes(id))
      .map((run) => ({ process, run }));
  }, { atOnce: AT_ONCE });
  const found = seen.flat();
  return runs.map((run) => found.filter((one) => one.run === run).map(({ process }) => process));
}

/** Reads the whole environment of a process, as it is before or after the process replaces its program. */
async function readEnviron(pid: string, stat: string): Promise<string> {
  const look = () => unlessGone(NO_BYTES, () => Deno.readFile(`/proc/${pid}/environ`));
  let environ = await look();
  let expected = environBytes(stat);
  for (const pause of EXEC_PAUSES_MS) {
    if (environ.length === expected) break;
    await new Promise((resolve) => setTimeout(resolve, pause));
    expected = environBytes(await read(`/proc/${pid}/stat`));
    environ = await look();
  }
  return new TextDecoder().decode(environ);
}

async function holdersAmong(found: readonly LiveProcess[]): Promise<LiveProcess[]> {
  if (found.length === 0) return [];
  const outputs = new Set<string>();
  for (const { fd, inode } of await pipesOf(Deno.pid)) {
    if (isOutputEnd(await read(`/proc/self/fdinfo/${fd}`))) outputs.add(inode);
  }
  const held = await inParallel(found, ({ pid }) => pipesOf(pid), { atOnce: AT_ONCE });
  return found.filter((_, at) => held[at]?.some(({ inode }) => outputs.has(inode)));
}

async function pipesOf(pid: number): Promise<PipeEnd[]> {
  const folder = `/proc/${pid}/fd`;
  const pipes: PipeEnd[] = [];
  for (const name of await namesIn(folder)) {
    const target = await unlessGone("", () => Deno.readLink(`${folder}/${name}`));
    const inode = parsePipe(target);
    if (inode !== undefined) pipes.push({ fd: Number(name), inode });
  }
  return pipes;
}

async function namesIn(folder: string): Promise<string[]> {
  return await unlessGone([], async () => {
    const names: string[] = [];
    for await (const { name } of Deno.readDir(folder)) names.push(name);
    return names;
  });
}

async function read(path: string): Promise<string> {
  return await unlessGone("", () => Deno.readTextFile(path));
}

/** Processes may end while they are inspected, and those of other users can't be inspected. */
async function unlessGone<T>(fallback: T, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
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
