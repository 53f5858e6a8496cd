import { JobError } from "../tool/job.ts";
import type { JobRequest } from "../tool/job_service.ts";
import type { NewJob } from "./job_store.ts";
import { isJsonObject } from "../shared/json.ts";

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
