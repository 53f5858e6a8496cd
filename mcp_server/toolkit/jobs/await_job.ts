import { isFinal, type Job } from "../../tool/job.ts";
import type { JobService } from "../../tool/job_service.ts";

/** What ends a wait for a job before the job does. */
export interface JobEndWait {
  /** In milliseconds; 0 does not wait. */
  readonly timeoutMs: number;
  /** Ends the wait with a rejection. */
  readonly signal: AbortSignal;
}

/** Resolves with a job once it has ended, or as it is when the time is over. */
export async function awaitJob(
  jobs: JobService,
  id: string,
  { timeoutMs, signal }: JobEndWait,
): Promise<Job> {
  const end = performance.now() + timeoutMs;
  let job = await jobs.get(id);
  while (!isFinal(job.state)) {
    const left = Math.ceil(end - performance.now());
    if (left <= 0) break;
    job = await jobs.wait(id, { timeoutMs: left, since: job.state, signal });
  }
  return job;
}
