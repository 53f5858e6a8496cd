import type { JobService } from "../../domain/job_service.ts";
import { keptOutput } from "./kept_output.ts";
import { TextFinder } from "./text_finder.ts";

/** What is looked for, and until when. */
export interface OutputSearch {
  /** The text. */
  readonly text: string;
  /** Ends the wait for output, without a rejection; the output so far is searched in any case. */
  readonly signal: AbortSignal;
}

/**
 * Whether a text is in the kept output of a job, in one of its streams: looks through the output so
 * far, and then at what comes, until the job ends.
 */
export async function findInOutput(
  jobs: JobService,
  id: string,
  { text, signal }: OutputSearch,
): Promise<boolean> {
  const finders = { stdout: new TextFinder(text), stderr: new TextFinder(text) };
  for (const stream of ["stdout", "stderr"] as const) {
    for await (const part of keptOutput(jobs, id, { stream, offset: 0 })) {
      if (finders[stream].endsIn(part)) return true;
    }
  }
  const from = { stdout: finders.stdout.end, stderr: finders.stderr.end, events: 0 };
  for await (const event of jobs.watch(id, { from, signal })) {
    if ("bytes" in event && finders[event.type].endsIn(event)) return true;
  }
  return false;
}
