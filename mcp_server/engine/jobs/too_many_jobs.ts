import { JobError } from "../../domain/job_error.ts";
import type { Creation, NewJob } from "../../domain/job_store.ts";

/** Rejects a job while too many are live: of its caller, or on the whole server. */
export function tooManyJobs(
  { caller, maxOfCaller }: NewJob,
  maxJobs: number,
  { of }: Creation & { readonly kind: "full" },
): JobError {
  const live = of === "caller"
    ? `${maxOfCaller} jobs of the caller "${caller}" are live (maxJobs)`
    : `${maxJobs} jobs are live`;
  return new JobError(`Cannot start the job: ${live}; try again later`, { code: "BUSY" });
}
