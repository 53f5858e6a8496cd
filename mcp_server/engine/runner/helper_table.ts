import { isInheritable, parsePipe, parseStat } from "./proc_format.ts";
import type { LiveProcess, ProcessTable, RunMark } from "./live_process.ts";

const TIME_OUT_MS = 1_000;

/** First who carries the id, then all: whoever ends in between is not taken for alive. */
const FIND = 'grep -lsaF -e "$1" /proc/[0-9]*/environ; cat /proc/[0-9]*/stat';

/** The server's open files first, then those of each process. */
const LIST_FILES = "server=$1; grep -sH ^flags: /proc/$server/fdinfo/*; for pid do " +
  'echo "process $pid"; ls -l /proc/$pid/fd; done';

/** Looks processes up through helper programs, in about 5 ms: Deno may then keep `/proc` closed. */
export function createHelperTable(path: string): ProcessTable {
  const find = async (run: RunMark) => parseFound(await sh(FIND, [run.id], path), run);
  const holders = async (run: RunMark) => {
    const found = await find(run);
    if (found.length === 0) return [];
    const pids = [Deno.pid, ...found.map(({ pid }) => pid)].map(String);
    return parseHolders(await sh(LIST_FILES, pids, path), found);
  };
  return { find, holders };
}

/** Reads the answer of the look for a run's processes. */
export function parseFound(answer: string, { group }: RunMark): LiveProcess[] {
  const carriers = new Set(
    [...answer.matchAll(/^\/proc\/(\d+)\/environ$/gm)].map(([, pid]) => Number(pid)),
  );
  const live = answer.split("\n").map(parseStat).filter((process) => process !== undefined);
  if (live.length === 0) {
    throw new Error(
      "Cannot look processes up: sh, grep or cat is missing, or /proc is not mounted",
    );
  }
  return live.filter((process) => process.group === group || carriers.has(process.pid));
}

/** Reads the lists of open files: the server's flags, then the files of each process. */
export function parseHolders(answer: string, found: readonly LiveProcess[]): LiveProcess[] {
  const [flags = "", server = "", ...others] = answer.split(/^process /m);
  const inherited = new Set(
    flags.split("\n").map((line) => /fdinfo\/(\d+):(.*)$/.exec(line))
      .filter((match) => match !== null && isInheritable(match[2] ?? ""))
      .map((match) => match?.[1]),
  );
  const own = pipesIn(server).filter(({ fd }) => !inherited.has(fd)).map(({ inode }) => inode);
  const holding = new Set(
    others.filter((list) => pipesIn(list).some(({ inode }) => own.includes(inode)))
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

/** Runs a script with a bare environment, so that it neither tells secrets nor looks like a run. */
async function sh(script: string, args: readonly string[], path: string): Promise<string> {
  const command = new Deno.Command("sh", {
    args: ["-c", script, "sh", ...args],
    clearEnv: true,
    env: { PATH: path, LC_ALL: "C" },
    // A Ctrl-C at the terminal goes to the server's whole group: the sweep has to outlive it.
    detached: true,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
    signal: AbortSignal.timeout(TIME_OUT_MS),
  });
  const { stdout } = await command.spawn().output();
  return new TextDecoder().decode(stdout);
}
