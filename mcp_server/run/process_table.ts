import {
  environBytes,
  isOutputEnd,
  type LiveProcess,
  parsePipe,
  parseStat,
  type PipeEnd,
} from "./proc_format.ts";
import { inParallel, within } from "../shared/concurrency.ts";
import { KeptShell } from "./kept_shell.ts";

/** What identifies the processes of a run. */
export interface RunMark {
  /** The id in the environment of every process of the run. */
  readonly id: string;
  /** The process group of the run, which is the id of its first process. */
  readonly group: number;
}

/** The group of no process: not even a number equals it. */
export const NO_GROUP = Number.NaN;

/** Two lists of processes as one, each process once, as the first list describes it. */
export function mergeProcesses(
  first: readonly LiveProcess[],
  second: readonly LiveProcess[],
): LiveProcess[] {
  const seen = new Set(first.map(({ pid }) => pid));
  return [...first, ...second.filter(({ pid }) => !seen.has(pid))];
}

/** Finds the processes of a run, even outside of its process group. */
export interface ProcessTable {
  /**
   * The processes in the run's group, and those that carry its id in their environment. A process
   * that left the group and also dropped (`env -i`, `sudo`) or overwrote its environment is not
   * found.
   */
  find(run: RunMark): Promise<LiveProcess[]>;
  /** The processes that carry an id in their environment, whatever their group. */
  marked(id: string): Promise<LiveProcess[]>;
  /**
   * Those of a run's processes, and of `others`, that hold the other end of a pipe from which this
   * server reads: the output.
   */
  holders(run: RunMark, others?: readonly LiveProcess[]): Promise<LiveProcess[]>;
}

/**
 * Chooses how to look up processes: in `/proc` if this process may read it (Deno requires
 * `--allow-all`), otherwise with helper programs, found on `path`. If there is no `/proc`, as on
 * macOS, only the run's group is known.
 */
export function createProcessTable(path: string): ProcessTable & AsyncDisposable {
  try {
    Deno.readTextFileSync("/proc/self/stat");
    return createSourceTable(createProcSource());
  } catch (error) {
    const isClosed = error instanceof Deno.errors.NotCapable && Deno.build.os === "linux";
    return isClosed ? createSourceTable(createHelperSource(path)) : createGroupTable();
  }
}

/** Looks up processes in what a source shows. */
export function createSourceTable(source: ProcessSource): ProcessTable & AsyncDisposable {
  const find = shareLooks(async (runs) => {
    const seen = await source.look(runs.map(({ id }) => id));
    return runs.map((run) =>
      seen.filter(({ group, words }) => group === run.group || words.includes(run.id))
        .map(({ pid, group }) => ({ pid, group }))
    );
  });
  return {
    find,
    marked: (id) => find({ id, group: NO_GROUP }),
    holders: async (run, others = []) => {
      const found = mergeProcesses(await find(run), others);
      if (found.length === 0) return [];
      const holding = await source.holders(found.map(({ pid }) => pid));
      return found.filter(({ pid }) => holding.has(pid));
    },
    [Symbol.asyncDispose]: () => source[Symbol.asyncDispose](),
  };
}

/** Finds out only whether a run's group is empty, by signal 0. */
export function createGroupTable(): ProcessTable & AsyncDisposable {
  return {
    find: ({ group }) => Promise.resolve(isEmpty(group) ? [] : [{ pid: group, group }]),
    marked: () => Promise.resolve([]),
    holders: () => Promise.resolve([]),
    [Symbol.asyncDispose]: () => Promise.resolve(),
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

/** Scans all processes once; resolves with the processes of each run, in the runs' order. */
export type Look = (runs: readonly RunMark[]) => Promise<readonly LiveProcess[][]>;

/**
 * Shares scans among concurrent requests, so that many stops cost no more scans than one. A request
 * is never answered from a scan that began before it: a process that started in between would be
 * missing. So at most one scan runs at a time, and the next one serves all requests that arrive
 * meanwhile.
 */
export function shareLooks(look: Look): (run: RunMark) => Promise<LiveProcess[]> {
  let next: { readonly runs: RunMark[]; readonly found: ReturnType<Look> } | undefined;
  let underWay: Promise<unknown> = Promise.resolve();

  const open = () => {
    const runs: RunMark[] = [];
    const found = underWay.then(() => {
      next = undefined;
      return look(runs);
    });
    underWay = found.catch(() => {});
    return { runs, found };
  };

  return async (run) => {
    next ??= open();
    const at = next.runs.push(run) - 1;
    return (await next.found)[at] ?? [];
  };
}

/** A process, with those of some words that its environment contains. */
interface SeenProcess extends LiveProcess {
  readonly words: readonly string[];
}

/** What shows the processes of this machine. */
interface ProcessSource extends AsyncDisposable {
  /** Looks at all processes; their environments are as they are before or after execve(2). */
  look(words: readonly string[]): Promise<readonly SeenProcess[]>;
  /** Those of some processes that hold the other end of a pipe from which this process reads. */
  holders(pids: readonly number[]): Promise<ReadonlySet<number>>;
}

/** Reading `environ` waits for a lock of the process, which a stuck process may never release. */
const TIME_OUT_MS = 1_500;

/** How long to wait before each further look at a process that replaces its program. */
const EXEC_PAUSES_MS: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** How many processes are read at once: a fourth more saves no time. */
const AT_ONCE = 4;

/** Looks into `/proc`, in about 4 ms per hundred processes and without blocking. */
export function createProcSource(): ProcessSource {
  return {
    look: async (words) => {
      const work = lookAtAll(words);
      if (await within(work, TIME_OUT_MS)) return await work;
      throw new Error(`Cannot look up processes: /proc did not answer within ${TIME_OUT_MS} ms`);
    },
    holders: async (pids) => {
      const outputs = new Set<string>();
      for (const { fd, inode } of await pipesOf(Deno.pid)) {
        if (isOutputEnd(await read(`/proc/self/fdinfo/${fd}`))) outputs.add(inode);
      }
      const held = await inParallel(pids, pipesOf, { atOnce: AT_ONCE });
      return new Set(pids.filter((_, at) => held[at]?.some(({ inode }) => outputs.has(inode))));
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function lookAtAll(words: readonly string[]): Promise<SeenProcess[]> {
  const names = await namesIn("/proc");
  const seen = await inParallel(names.filter((name) => /^\d+$/.test(name)), async (pid) => {
    const stat = await read(`/proc/${pid}/stat`);
    const process = parseStat(stat);
    if (process === undefined) return [];
    const environ = await readEnviron(pid, stat);
    return [{ ...process, words: words.filter((word) => environ.includes(word)) }];
  }, { atOnce: AT_ONCE });
  return seen.flat();
}

async function readEnviron(pid: string, stat: string): Promise<string> {
  const look = () => unlessGone(new Uint8Array(), () => Deno.readFile(`/proc/${pid}/environ`));
  let environ = await look();
  let expected = environBytes(stat);
  for (const pause of EXEC_PAUSES_MS) {
    if (environ.length === expected) break;
    await delay(pause);
    expected = environBytes(await read(`/proc/${pid}/stat`));
    environ = await look();
  }
  return new TextDecoder().decode(environ);
}

async function pipesOf(pid: number): Promise<PipeEnd[]> {
  const folder = `/proc/${pid}/fd`;
  const pipes: PipeEnd[] = [];
  for (const name of await namesIn(folder)) {
    const inode = parsePipe(await unlessGone("", () => Deno.readLink(`${folder}/${name}`)));
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
    const { errors } = Deno;
    if (error instanceof errors.NotFound || error instanceof errors.PermissionDenied) {
      return fallback;
    }
    // ESRCH: the process has ended, or is a thread of the kernel. Deno has no class for it.
    if (error instanceof Error && error.message.includes("(os error 3)")) return fallback;
    throw error;
  }
}

/**
 * `look` prints first the processes that carry a word, a line each, then all processes: one that ends
 * in between is not counted as alive. `files` prints the flags of the server's open files, then the
 * files of each process.
 */
const FUNCTIONS = `
look() {
  grep -saoH "$@" /proc/[0-9]*/environ 2>/dev/null
  [ $? -lt 126 ] && cat /proc/[0-9]*/stat 2>/dev/null
  :
}
files() {
  grep -sH ^flags: /proc/"$1"/fdinfo/*
  for pid do
    echo "process $pid"
    ls -l /proc/"$pid"/fd 2>/dev/null
  done
  :
}`;

/** Makes `grep` show that an environment is not empty, by its first character. */
const NOT_EMPTY = "^.";

/** Looks with `sh`, `grep`, `cat` and `ls`, found on `path`, for a Deno without permission for `/proc`. */
export function createHelperSource(path: string): ProcessSource {
  const action = "look up processes";
  const shell = new KeptShell({ path, functions: FUNCTIONS, action, timeoutMs: TIME_OUT_MS });
  return {
    look: async (words) => {
      const patterns = [...words, NOT_EMPTY].flatMap((pattern) => ["-e", pattern]);
      const answers = [await shell.ask("look", ...patterns)];
      let unclear = findUnclear(answers[0] ?? "");
      for (const pause of EXEC_PAUSES_MS) {
        if (unclear.size === 0) break;
        await delay(pause);
        const answer = await shell.ask("look", ...patterns);
        answers.push(answer);
        unclear = unclear.intersection(findUnclear(answer));
      }
      return parseSeen(answers, words);
    },
    holders: async (pids) =>
      parseHolders(await shell.ask("files", ...[Deno.pid, ...pids].map(String))),
    [Symbol.asyncDispose]: () => shell[Symbol.asyncDispose](),
  };
}

/** The processes that seemed to have no environment, but may only have been replacing their program. */
export function findUnclear(answer: string): Set<number> {
  const seen = new Set(readEnvirons(answer).map(({ pid }) => pid));
  const withEnviron = answer.split("\n").filter((line) => environBytes(line) !== 0);
  return new Set(withEnviron.map((line) => Number.parseInt(line, 10))).difference(seen);
}

/** Reads the answers of looks, the latest last: the processes that were alive at the latest one. */
export function parseSeen(answers: readonly string[], words: readonly string[]): SeenProcess[] {
  const matches = new Set(answers.flatMap(readEnvirons).map(({ pid, match }) => `${pid} ${match}`));
  const live = (answers.at(-1) ?? "").split("\n").map(parseStat)
    .filter((process) => process !== undefined);
  if (live.length === 0) {
    throw new Error(
      "Cannot look up processes: sh, grep or cat is missing, or /proc is not mounted",
    );
  }
  return live.map((process) => ({
    ...process,
    words: words.filter((word) => matches.has(`${process.pid} ${word}`)),
  }));
}

function readEnvirons(answer: string): { readonly pid: number; readonly match: string }[] {
  return Array.from(
    answer.matchAll(/^\/proc\/(\d+)\/environ:(.+)$/gm),
    ([, pid, match = ""]) => ({ pid: Number(pid), match }),
  );
}

/** Reads the lists of open files: the server's flags, then the files of each process, its own first. */
export function parseHolders(answer: string): Set<number> {
  const [flags = "", server = "", ...others] = answer.split(/^process /m);
  const outputs = new Set(
    Array.from(flags.matchAll(/fdinfo\/(\d+):(.*)$/gm))
      .filter(([, , line = ""]) => isOutputEnd(line)).map(([, fd]) => Number(fd)),
  );
  const inodes = pipesIn(server).filter(({ fd }) => outputs.has(fd)).map(({ inode }) => inode);
  return new Set(
    others.filter((list) => pipesIn(list).some(({ inode }) => inodes.includes(inode)))
      .map((list) => Number.parseInt(list, 10)),
  );
}

function pipesIn(list: string): PipeEnd[] {
  return Array.from(list.matchAll(/ (\d+) -> (pipe:\[\d+\])$/gm)).flatMap(([, fd, target]) => {
    const inode = parsePipe(target ?? "");
    return inode === undefined ? [] : [{ fd: Number(fd), inode }];
  });
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
