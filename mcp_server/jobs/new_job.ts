import type { Caller } from "../access/caller.ts";
import { JobError } from "../tool/job.ts";
import type { JobRequest } from "../tool/job_service.ts";
import type { Creation, NewJob } from "./job_store.ts";
import type { Refusal } from "../tool/result.ts";
import { toIdempotency } from "./idempotency.ts";

/** The job that a request asks for, before it is stored. */
export async function toNewJob(
  caller: Caller,
  request: JobRequest,
  { outputBytes, idempotencyKey }: {
    readonly outputBytes: number;
    readonly idempotencyKey?: string | undefined;
  },
): Promise<NewJob> {
  const { tool, stdin = false } = request;
  const maxOfCaller = caller.rights?.maxJobs;
  return {
    id: crypto.randomUUID(),
    tool,
    caller: caller.name,
    stdin,
    createdAt: Date.now(),
    outputBytes,
    ...(maxOfCaller === undefined ? {} : { maxOfCaller }),
    ...await toIdempotency(idempotencyKey, request),
  };
}

/** Rejects a job as the plain call would be. */
export function refusedStart(refusal: Refusal): JobError {
  const { kind: code, message } = refusal;
  return new JobError(message, { code, refusal });
}

/** Rejects a job while too many are live: of its caller, or on the whole server. */
export function tooManyJobs(
  { caller, maxOfCaller }: NewJob,
  maxJobs: number,
  { of }: Creation & { readonly kind: "full" },
): JobError {
  const live = of === "caller"
    ? `${maxOfCaller} jobs of the caller "${caller}" are live (maxJobs)`
    : `${maxJobs} jobs are live`;
  return new JobError(`Cannot start the job: ${live}; cancel one, or try again later`, {
    code: "BUSY",
  });
}

/** Rejects a job whose idempotency key has started another one. */
export function keyReused(): JobError {
  return new JobError(
    "Cannot start the job: the key was used for another tool or other arguments; use a new key",
    { code: "IDEMPOTENCY_KEY_REUSED" },
  );
}
