import type { LiveProcess } from "./proc_format.ts";
import { createHelperSource, createProcSource, type ProcessSource } from "./process_source.ts";

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
