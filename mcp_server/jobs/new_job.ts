import type { Caller } from "../access/caller.ts";
import { isJsonObject } from "../shared/json.ts";
import { JobError, type JobRequest } from "../tool/job.ts";
import type { Refusal } from "../tool/result.ts";
import type { Creation, NewJob } from "./job_store.ts";

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

/** The longest key that is accepted. */
const MOST_KEY = 255;

/** What a store needs to find the job of a request again; rejects if the key is empty or too long. */
export async function toIdempotency(
  key: string | undefined,
  request: JobRequest,
): Promise<Pick<NewJob, "idempotency">> {
  if (key === undefined) return {};
  if (key !== "" && key.length <= MOST_KEY) {
    return { idempotency: { key, digest: await digestOf(request, key) } };
  }
  throw new JobError(
    `Cannot use an idempotency key of ${key.length} characters: it must have 1 to ${MOST_KEY}`,
    { code: "INVALID_ARGUMENTS" },
  );
}

/**
 * A digest of a request's tool and arguments, independent of the order of keys (SHA-256,
 * hexadecimal). It is salted, so that guessing can't reveal an argument.
 */
async function digestOf(request: JobRequest, salt: string): Promise<string> {
  const { tool, args = {}, stdin = false, on, retries = 0 } = request;
  const placement = on === undefined && retries === 0 ? [] : [on ?? "", retries];
  const text = JSON.stringify([salt, tool, args, stdin, ...placement], sortKeys);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex();
}

function sortKeys(_key: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => a < b ? -1 : 1));
}
