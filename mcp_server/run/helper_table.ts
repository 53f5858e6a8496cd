import { within } from "../shared/deadline.ts";
import {
  type LiveProcess,
  mergeProcesses,
  NO_GROUP,
  type ProcessTable,
  type RunMark,
  shareLooks,
} from "./live_process.ts";
import { environBytes, EXEC_PAUSES_MS, isOutputEnd, parsePipe, parseStat } from "./proc_format.ts";

const TIME_OUT_MS = 1_500;

/**
 * First the processes that carry one of the ids, a line each, then all processes: one that ends in
 * between is not counted as alive. `exec` keeps `cat` from being a process that is new in between.
 */
const LOOK = 'grep -saoHe "$1" /proc/[0-9]*/environ; exec cat /proc/[0-9]*/stat';

/** Makes `grep` show that an environment is not empty, by its first character. */
const NOT_EMPTY = "^.";

/** The server's open files first, then those of each process. */
const LIST_FILES = "server=$1; grep -sH ^flags: /proc/$server/fdinfo/*; for pid do " +
  'echo "process $pid"; ls -l /proc/$pid/fd; done';

/**
 * Looks up processes with helper programs, in about 5 ms, for a Deno without permission for
 * `/proc`.
 */
export function createHelperTable(path: string): ProcessTable {
  const find = shareLooks(async (runs) => {
    const patterns = [...runs.map(({ id }) => id), NOT_EMPTY].join("\n");
    const answers = [await sh(LOOK, [patterns], path)];
    let unclear = findUnclear(answers[0] ?? "");
    for (const pause of EXEC_PAUSES_MS) {
      if (unclear.size === 0) break;
      await new Promise((resolve) => setTimeout(resolve, pause));
      const answer = await sh(LOOK, [patterns], path);
      answers.push(answer);
      unclear = unclear.intersection(findUnclear(answer));
    }
    return parseFound(answers, runs);
  });
  const holders = async (run: RunMark, others: readonly LiveProcess[] = []) => {
    const found = mergeProcesses(await find(run), others);
    if (found.length === 0) return [];
    const pids = [Deno.pid, ...found.map(({ pid }) => pid)].map(String);
    return parseHolders(await sh(LIST_FILES, pids, path), found);
  };
  return { find, marked: (id) => find({ id, group: NO_GROUP }), holders };
}

/** The processes that seemed to have no environment, but may only have been replacing their program. */
export function findUnclear(answer: string): Set<number> {
  const seen = new Set(readEnvirons(answer).map(({ pid }) => pid));
  const withEnviron = answer.split("\n").filter((line) => environBytes(line) !== 0);
  return new Set(withEnviron.map((line) => Number.parseInt(line, 10))).difference(seen);
}

/**
 * Reads the outputs of scans, the latest last: the processes of each run that were alive at the
 * latest one.
 */
export function parseFound(answers: readonly string[], runs: readonly RunMark[]): LiveProcess[][] {
  const carriers = new Set(
    answers.flatMap(readEnvirons).map(({ pid, match }) => toCarrier(pid, match)),
  );
  const live = (answers.at(-1) ?? "").split("\n").map(parseStat)
    .filter((process) => process !== undefined);
  if (live.length === 0) {
    throw new Error(
      "Cannot look up processes: sh, grep or cat is missing, or /proc is not mounted",
    );
  }
  return runs.map(({ id, group }) =>
    live.filter((process) => process.group === group || carriers.has(toCarrier(process.pid, id)))
  );
}

function readEnvirons(answer: string): { readonly pid: number; readonly match: string }[] {
  return Array.from(
    answer.matchAll(/^\/proc\/(\d+)\/environ:(.+)$/gm),
    ([, pid, match = ""]) => ({ pid: Number(pid), match }),
  );
}

function toCarrier(pid: number, id: string): string {
  return `${pid} ${id}`;
}

/** Reads the lists of open files: the server's flags, then the files of each process. */
export function parseHolders(answer: string, found: readonly LiveProcess[]): LiveProcess[] {
  const [flags = "", server = "", ...others] = answer.split(/^process /m);
  const outputs = new Set(
    flags.split("\n").map((line) => /fdinfo\/(\d+):(.*)$/.exec(line))
      .filter((match) => match !== null && isOutputEnd(match[2] ?? ""))
      .map((match) => match?.[1]),
  );
  const inodes = pipesIn(server).filter(({ fd }) => outputs.has(fd)).map(({ inode }) => inode);
  const holding = new Set(
    others.filter((list) => pipesIn(list).some(({ inode }) => inodes.includes(inode)))
      .map((list) => Number.parseInt(list, 10)),
  );
  return found.filter(({ pid }) => holding.has(pid));
}

function pipesIn(list: string): { fd: string; inode: string }[] {
  return [...list.matchAll(/ (\d+) -> (pipe:\[\d+\])$/gm)].flatMap(([, fd, target]) => {
    const inode = parsePipe(target ?? "");
    return fd === undefined || inode === undefined ? [] : [{ fd, inode }];
  });
}

/**
 * Runs a script with a minimal environment, so that it neither reveals secrets nor looks like a
 * run.
 */
async function sh(script: string, args: readonly string[], path: string): Promise<string> {
  const command = new Deno.Command("sh", {
    args: ["-c", script, "sh", ...args],
    clearEnv: true,
    env: { PATH: path, LC_ALL: "C" },
    // A Ctrl-C at the terminal goes to the server's whole group: the helper has to outlive it.
    detached: true,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
    signal: AbortSignal.timeout(TIME_OUT_MS),
  });
  const output = command.spawn().output();
  // Not even SIGKILL ends a helper that waits in the kernel for a stuck process.
  if (!await within(output, 2 * TIME_OUT_MS)) {
    throw new Error(`Cannot look up processes: no answer within ${2 * TIME_OUT_MS} ms`);
  }
  const { stdout, signal } = await output;
  // What it has printed by then may lack processes, which would then seem to be gone.
  if (signal !== null) {
    throw new Error(`Cannot look up processes: no answer within ${TIME_OUT_MS} ms`);
  }
  return new TextDecoder().decode(stdout);
}
