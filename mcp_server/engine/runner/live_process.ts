/** By what the processes of a run are known. */
export interface RunMark {
  /** The id in the environment of every process of the run. */
  readonly id: string;
  /** The process group of the run, which is the id of its first process. */
  readonly group: number;
}

/** A process that still runs: one that has ended and is not yet reaped (a zombie) is none. */
export interface LiveProcess {
  readonly pid: number;
  readonly group: number;
}

/** Finds the processes of a run, wherever they have gone. */
export interface ProcessTable {
  /**
   * The processes in the run's group, and those that carry its id in their environment. Not found
   * is what left the group and also dropped its environment (`env -i`, `sudo`), or overwrote it.
   */
  find(run: RunMark): Promise<LiveProcess[]>;
  /** Those of them that hold the other end of a pipe from which this server reads: the output. */
  holders(run: RunMark): Promise<LiveProcess[]>;
}

/** Looks at every process once; resolves with the processes of each run, in the runs' order. */
export type Look = (runs: readonly RunMark[]) => Promise<readonly LiveProcess[][]>;

/**
 * Shares looks among the runs that ask at the same time, so that many stops cost no more looks than
 * one. A run is never answered from a look that began before it asked: a process that was born in
 * between would be missing. So at most one look is under way, and the next one serves all who ask
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
