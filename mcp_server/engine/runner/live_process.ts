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
