import type { LiveProcess, RunMark } from "./live_process.ts";

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
