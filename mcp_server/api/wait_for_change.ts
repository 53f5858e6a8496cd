import type { Job } from "../tool/job.ts";
import type { JobService, JobWait } from "../tool/job_service.ts";

/** Waits for a change of state as `JobService.wait()`; resolves with the job also on the abort. */
export async function waitForChange(
  jobs: JobService,
  id: string,
  wait: JobWait & { readonly signal: AbortSignal },
): Promise<Job> {
  try {
    return await jobs.wait(id, wait);
  } catch (error) {
    if (!wait.signal.aborted) throw error;
    return await jobs.get(id);
  }
}
