import { within } from "../shared/deadline.ts";
import { inParallel } from "../shared/concurrency.ts";
import { KeptShell } from "./kept_shell.ts";
import {
  environBytes,
  isOutputEnd,
  type LiveProcess,
  parsePipe,
  parseStat,
  type PipeEnd,
} from "./proc_format.ts";

/** A process, with those of some words that its environment contains. */
interface SeenProcess extends LiveProcess {
  readonly words: readonly string[];
}

/** What shows the processes of this machine. */
export interface ProcessSource extends AsyncDisposable {
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
