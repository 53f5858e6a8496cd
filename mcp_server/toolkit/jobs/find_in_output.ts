import type { JobService } from "../../tool/job_service.ts";
import { keptOutput } from "./kept_output.ts";
import { TextFinder } from "./text_finder.ts";

/** How much of each stream of a job was read, in bytes. */
export interface Position {
  /** Bytes of stdout. */
  readonly stdout: number;
  /** Bytes of stderr. */
  readonly stderr: number;
}

/** What is looked for, where, and until when. */
export interface OutputSearch {
  /** The text. */
  readonly text: string;
  /** Where the search begins. */
  readonly from: Position;
  /** How long it waits for output, in milliseconds; the output so far is searched for 1 s in any case. */
  readonly timeoutMs: number;
  /** Ends the search with a rejection. */
  readonly signal: AbortSignal;
}

/** How long the output so far is searched at least. */
const LEAST_MS = 1_000;

/**
 * Whether a text is in the kept output of a job, in one of its streams: searches the output so far,
 * and then what comes, until the job ends or the time is over. Other calls go on meanwhile.
 */
export async function findInOutput(
  jobs: Pick<JobService, "read" | "watch">,
  id: string,
  { text, from, timeoutMs, signal }: OutputSearch,
): Promise<boolean> {
  const end = performance.now() + Math.max(timeoutMs, LEAST_MS);
  const waits = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const finders = { stdout: new TextFinder(text), stderr: new TextFinder(text) };
  for (const stream of ["stdout", "stderr"] as const) {
    for await (
      const part of keptOutput(jobs, id, { stream, offset: from[stream], skipsGap: true })
    ) {
      if (finders[stream].endsIn(part)) return true;
      signal.throwIfAborted();
      if (performance.now() > end) return false;
    }
  }
  const seen = { stdout: finders.stdout.end, stderr: finders.stderr.end, events: 0 };
  for await (const event of jobs.watch(id, { from: seen, signal: waits })) {
    // The journal of a job that was started again leads back to the beginning of its output.
    const isBefore = "bytes" in event && event.offset < from[event.type];
    if ("bytes" in event && !isBefore && finders[event.type].endsIn(event)) return true;
  }
  signal.throwIfAborted();
  return false;
}
