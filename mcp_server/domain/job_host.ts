import type { JobService } from "./job_service.ts";
import type { CallOutcome } from "./service.ts";

/** The jobs of one caller as a transport sees them. */
export interface CallerJobs extends JobService {
  /**
   * How the job ended, as the outcome of a plain call: the whole result, or the refusal;
   * `undefined` while it is live. A lost job is a refusal of the kind `JOB_LOST`.
   */
  outcome(id: string): Promise<CallOutcome | undefined>;
}

/** Carries out the jobs of all callers. */
export interface JobHost {
  /**
   * The jobs of one caller; `undefined` is the caller of a server that does not distinguish
   * callers.
   */
  forCaller(caller: string | undefined): CallerJobs;
}
