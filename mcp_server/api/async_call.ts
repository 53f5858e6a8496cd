import type { Caller } from "../access/caller.ts";
import { isFinal, type Job, JobError } from "../tool/job.ts";
import type { JobRequest } from "../tool/job_service.ts";
import type { CallerJobs, JobHost } from "../tool/service.ts";
import { outcomeResponse } from "./outcome_response.ts";
import { jsonResponse, type Pace } from "../http/paced_body.ts";
import { problemResponse } from "../http/problem.ts";
import type { AsyncWay } from "./call_headers.ts";
import { toJobProblem } from "../http/job_problem.ts";
import { waitForChange } from "./wait_for_change.ts";

/** Who starts a job, and is answered. */
export interface JobStarter {
  readonly caller: Caller;
  /** Address of the client, for the audit. */
  readonly address: string;
  readonly client: { readonly signal: AbortSignal };
  readonly exchange: Pace;
  /** Counts a request that waits; see `Sender`. */
  readonly occupy: () => Disposable;
  /** Where the job belongs in the trace of the client. */
  readonly traceparent?: string;
}

/** Answers a call that is to continue by itself. */
export type JobStart = (call: JobRequest, way: AsyncWay, starter: JobStarter) => Promise<Response>;

/** When a client that does not wait should ask again, in seconds. */
const RETRY_SECONDS = "1";

/**
 * Creates what answers `POST /api` with `Prefer: respond-async`: 202 with the job, or what the plain
 * call answers if the job ends within the wait. A client that disconnects does not end the job.
 */
export function createJobStart(
  { jobs: host, closing }: { readonly jobs: JobHost; readonly closing: AbortSignal },
): JobStart {
  return async (call, { waitSeconds, idempotencyKey }, starter) => {
    const { caller, address, client, exchange, traceparent } = starter;
    const jobs = host.forCaller(caller, address, "http");
    try {
      using _place = (waitSeconds ?? 0) === 0 ? undefined : starter.occupy();
      const { job } = await jobs.start(call, {
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        ...(traceparent === undefined ? {} : { meta: { traceparent } }),
      });
      const timeoutMs = 1_000 * (waitSeconds ?? 0);
      const last = await waitForEnd(jobs, job, {
        timeoutMs,
        signals: [client, { signal: closing }],
      });
      const headers = toHeaders(last, waitSeconds);
      if (isFinal(last.state)) return await toFinalResponse(jobs, last, { headers, exchange });
      return jsonResponse(last, exchange, {
        status: 202,
        headers: { ...headers, "retry-after": RETRY_SECONDS },
      });
    } catch (error) {
      if (error instanceof JobError) return problemResponse(toJobProblem(error));
      throw error;
    }
  };
}

/** Waits for the end of a job; no signal is read if there is nothing to wait for. */
async function waitForEnd(
  jobs: CallerJobs,
  job: Job,
  { timeoutMs, signals }: {
    readonly timeoutMs: number;
    readonly signals: readonly { readonly signal: AbortSignal }[];
  },
): Promise<Job> {
  const until = performance.now() + timeoutMs;
  let last = job;
  for (let left = timeoutMs; left > 0 && !isFinal(last.state); left = until - performance.now()) {
    const signal = AbortSignal.any(signals.map((one) => one.signal));
    if (signal.aborted) break;
    last = await waitForChange(jobs, job.id, { timeoutMs: left, since: last.state, signal });
  }
  return last;
}

function toHeaders({ id }: Job, waitSeconds: number | undefined): Record<string, string> {
  const wait = waitSeconds === undefined ? "" : `, wait=${waitSeconds}`;
  return { location: `/api/jobs/${id}`, "preference-applied": `respond-async${wait}` };
}

async function toFinalResponse(
  jobs: CallerJobs,
  { id }: Job,
  { headers, exchange }: { readonly headers: Record<string, string>; readonly exchange: Pace },
): Promise<Response> {
  const outcome = await jobs.outcome(id);
  if (outcome === undefined) throw new Error(`Cannot find the outcome of the job "${id}"`);
  const response = outcomeResponse(outcome, exchange);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
