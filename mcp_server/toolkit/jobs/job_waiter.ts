import type { OutputStream } from "../../domain/call_messages.ts";
import type { Job } from "../../domain/job.ts";
import { JobError } from "../../domain/job_error.ts";
import type { JobService } from "../../domain/job_service.ts";
import { awaitJob } from "./await_job.ts";
import { findInOutput } from "./find_in_output.ts";
import { readJobText } from "./job_text.ts";
import { type Position, WaitPositions } from "./wait_positions.ts";

/** How long a caller waits, for what, and how much it reads. */
export interface JobOutputWait {
  /** In milliseconds; 0 does not wait. */
  readonly timeoutMs: number;
  /** Ends the wait when this text is in the kept output of a stream. */
  readonly until?: string | undefined;
  /** Most bytes of each stream in the answer, for the job that it contains. */
  readonly limit: (job: Job) => number;
  /** Ends the wait with a rejection; the output is then not counted as read. */
  readonly signal: AbortSignal;
}

/** A job after a wait, and its new output. */
export interface WaitedJob {
  /** The job when the wait ended. */
  readonly job: Job;
  /** New output: whole characters, and a line about each hole of bytes that are not kept. */
  readonly stdout: string;
  /** As `stdout`. */
  readonly stderr: string;
  /** The offsets at which the next wait continues. */
  readonly next: Position;
  /** Whether the text is in the output, if the wait is for one. */
  readonly matched?: boolean;
}

/** Waits for jobs, and remembers of each what was read. */
export type JobWaiter = (
  jobs: JobService,
  id: string,
  wait: JobOutputWait,
) => Promise<WaitedJob>;

/**
 * Creates a function that waits for the end of a job, for a text or for a time, and answers with the
 * output since its last answer about the same job, so that a sequence of answers has all of it.
 */
export function createJobWaiter(): JobWaiter {
  const positions = new WaitPositions();
  return async (jobs, id, { timeoutMs, until, limit, signal }) => {
    const matched = until === undefined
      ? {}
      : { matched: await waitForText(jobs, id, { until, timeoutMs, signal }) };
    const rest = until === undefined ? timeoutMs : 0;
    const job = await awaitJob(jobs, id, { timeoutMs: rest, signal });
    const output = await positions.advance(id, async (from) => {
      const stdout = await readOn(jobs, id, { stream: "stdout", from, limit: limit(job) });
      const stderr = await readOn(jobs, id, { stream: "stderr", from, limit: limit(job) });
      signal.throwIfAborted();
      const next = { stdout: stdout.next, stderr: stderr.next };
      return { stdout: stdout.text, stderr: stderr.text, next };
    });
    return { job, ...output, ...matched };
  };
}

async function waitForText(
  jobs: JobService,
  id: string,
  { until, timeoutMs, signal }: { until: string; timeoutMs: number; signal: AbortSignal },
): Promise<boolean> {
  const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const found = await findInOutput(jobs, id, { text: until, signal: ends });
  signal.throwIfAborted();
  return found;
}

/** Reads on from a position; if the gap has grown over it, a line says how much is left out. */
async function readOn(
  jobs: JobService,
  id: string,
  { stream, from, limit }: { stream: OutputStream; from: Position; limit: number },
): Promise<{ text: string; next: number }> {
  const offset = from[stream];
  try {
    const { text, nextOffset, gap } = await readJobText(jobs, id, { stream, offset, limit });
    const note = gap === undefined ? "" : noteOf(gap.to - gap.from, text);
    return { text: text + note, next: nextOffset };
  } catch (error) {
    if (!(error instanceof JobError) || error.nextOffset === undefined) throw error;
    const { nextOffset } = error;
    const read = await readJobText(jobs, id, { stream, offset: nextOffset, limit });
    return { text: noteOf(nextOffset - offset, "") + read.text, next: read.nextOffset };
  }
}

function noteOf(bytes: number, before: string): string {
  const lineEnd = before === "" || before.endsWith("\n") ? "" : "\n";
  return `${lineEnd}[... ${bytes} bytes left out ...]\n`;
}
