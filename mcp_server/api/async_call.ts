import type { Sender } from "../http/http_server.ts";
import { jsonResponse } from "../http/response_body.ts";
import { type Parsed, refuse } from "../http/problem.ts";
import { isFinal } from "../tool/job.ts";
import type { JobHost } from "../tool/service.ts";
import type { JobRequest } from "../tool/job_service.ts";
import { MOST_WAIT_SECONDS, waitForChange } from "./job_resource.ts";
import { outcomeResponse } from "./outcome_response.ts";

/** How a call becomes a job. */
interface AsyncWay {
  /** How long the response waits for the end of the job; absent if the client does not say. */
  readonly waitSeconds?: number | undefined;
  /** The same key starts one job only. */
  readonly idempotencyKey?: string | undefined;
}

/** Answers a call that is to continue by itself; `traceparent` is of the trace of its client. */
export type JobStart = (
  call: JobRequest,
  way: AsyncWay,
  sender: Sender,
  traceparent: string | undefined,
) => Promise<Response>;

/** When a client that does not wait should ask again, in seconds. */
const RETRY_SECONDS = "1";

/**
 * Creates what answers `POST /api` with `Prefer: respond-async`: 202 with the job, or what the plain
 * call answers if the job ends within the wait. A client that disconnects does not end the job.
 */
export function createJobStart(host: JobHost, closing: AbortSignal): JobStart {
  return async (call, { waitSeconds, idempotencyKey }, sender, traceparent) => {
    const { caller, remoteAddr, client, exchange, occupy } = sender;
    const jobs = host.forCaller(caller, remoteAddr.hostname, "http");
    const timeoutMs = 1_000 * (waitSeconds ?? 0);
    using _place = timeoutMs === 0 ? undefined : occupy();
    const meta = traceparent === undefined ? undefined : { traceparent };
    const { job } = await jobs.start(call, { idempotencyKey, meta });
    const last = timeoutMs === 0 || isFinal(job.state) ? job : await waitForChange(jobs, job.id, {
      timeoutMs,
      untilEnd: true,
      signal: AbortSignal.any([client.signal, closing]),
    });
    const wait = waitSeconds === undefined ? "" : `, wait=${waitSeconds}`;
    const headers = {
      "location": `/api/jobs/${job.id}`,
      "preference-applied": `respond-async${wait}`,
    };
    if (!isFinal(last.state)) {
      const retry = { ...headers, "retry-after": RETRY_SECONDS };
      return jsonResponse(last, exchange, { status: 202, headers: retry });
    }
    const outcome = await jobs.outcome(job.id);
    if (outcome === undefined) throw new Error(`Cannot find the outcome of the job "${job.id}"`);
    const response = outcomeResponse(outcome, exchange);
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  };
}

/** The longest `Idempotency-Key`. */
const MOST_KEY = 255;

/** Reads `Prefer` (RFC 7240) and `Idempotency-Key` of a call; no value if it is answered at once. */
export function parseCallHeaders(headers: Headers): Parsed<AsyncWay | undefined> {
  const prefer = headers.get("prefer");
  const key = headers.get("idempotency-key");
  if (prefer === null && key === null) return { ok: true, value: undefined };
  const { respondAsync, waitSeconds } = parsePrefer(prefer ?? "");
  if (!respondAsync) {
    return key === null
      ? { ok: true, value: undefined }
      : refuse("BAD_REQUEST", "Idempotency-Key needs the header Prefer: respond-async");
  }
  if (key !== null && (key === "" || key.length > MOST_KEY)) {
    const detail = `Idempotency-Key has ${key.length} characters; it must have 1 to ${MOST_KEY}`;
    return refuse("BAD_REQUEST", detail);
  }
  return { ok: true, value: { waitSeconds, idempotencyKey: key ?? undefined } };
}

/** What a client prefers, of what the server knows. */
export interface Preferences {
  /** Whether the answer may come later. */
  readonly respondAsync: boolean;
  /** How long it may come late, in seconds; at most {@linkcode MOST_WAIT_SECONDS}. */
  readonly waitSeconds?: number;
}

/** Parts between commas; a comma within quotes is none. It matches any text in linear time. */
const PREFERENCE = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g;
const SECONDS = /^\d+$/;

/**
 * Reads a `Prefer` header (RFC 7240, section 2): of a preference that is repeated, the first one
 * counts; names are case-insensitive, values may be quoted, and what is unknown is ignored.
 */
export function parsePrefer(header: string): Preferences {
  const preferences = new Map<string, string>();
  for (const [preference] of header.matchAll(PREFERENCE)) {
    const [main = ""] = preference.split(";", 1);
    const equals = main.indexOf("=");
    const name = (equals < 0 ? main : main.slice(0, equals)).trim().toLowerCase();
    const value = equals < 0 ? "" : main.slice(equals + 1).trim();
    if (!preferences.has(name)) preferences.set(name, value.replace(/^"(.*)"$/, "$1"));
  }
  const wait = preferences.get("wait") ?? "";
  return {
    respondAsync: preferences.has("respond-async"),
    ...(SECONDS.test(wait) ? { waitSeconds: Math.min(Number(wait), MOST_WAIT_SECONDS) } : {}),
  };
}
