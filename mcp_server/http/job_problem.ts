import type { JobError, JobErrorCode } from "../tool/job.ts";
import { type Problem, STATUS_OF, toProblem } from "./problem.ts";

/** The status of each code of jobs. */
export const STATUS_OF_JOB: Readonly<Record<JobErrorCode, number>> = {
  ...STATUS_OF,
  JOB_NOT_FOUND: 404,
  JOB_NOT_ENDED: 409,
  JOB_NOT_RUNNING: 409,
  JOB_WITHOUT_STDIN: 409,
  STDIN_CLOSED: 409,
  BAD_OFFSET: 416,
  BAD_CURSOR: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  JOBS_UNAVAILABLE: 503,
  STORAGE_FULL: 507,
};

/** When to retry a request that was rejected as busy. */
const RETRY = { "retry-after": "1" };

/** The problem that describes what can't be done with a job. */
export function toJobProblem({ code, message, refusal }: JobError): Problem {
  if (refusal !== undefined) return toProblem(refusal);
  const headers = code === "BUSY" ? { headers: RETRY } : {};
  return { status: STATUS_OF_JOB[code], code, detail: message, ...headers };
}

/** The problem of a wrong parameter in the query of a URL. */
export function badParameter(name: string, message: string): Problem {
  return {
    status: 422,
    code: "INVALID_ARGUMENTS",
    detail: `The parameter "${name}" ${message}`,
    issues: [{ path: [name], message }],
  };
}
