/** What identifies the processes of a run. */
export interface RunMark {
  /** The id in the environment of every process of the run. */
  readonly id: string;
  /** The process group of the run, which is the id of its first process. */
  readonly group: number;
}

/** The group of no process: not even a number equals it. */
export const NO_GROUP = Number.NaN;

/** A process that is still running, and not a zombie. */
export interface LiveProcess {
  readonly pid: number;
  readonly group: number;
}

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
