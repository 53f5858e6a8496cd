import { quote } from "../shared/error.ts";
import { type Job, JOB_OUTCOMES, JOB_STATES, type JobState } from "../tool/job.ts";
import type { JobQuery, JobService, JobWait } from "../tool/job_service.ts";
import type { CallerJobs, JobHost } from "../tool/service.ts";
import { jsonResponse, readBytes, readJson } from "../http/body.ts";
import type { Handler, Sender } from "../http/http_server.ts";
import { type Parsed, problemOf, problemResponse, refuseParameter } from "../http/problem.ts";
import { isJsonObject } from "../shared/json.ts";

/** A request that is about the jobs of its caller. */
export interface JobContext extends Sender {
  readonly jobs: CallerJobs;
  /** The id in the path, whatever it is. */
  readonly id: string;
  /** Aborts when the server stops, or the caller loses its rights. */
  readonly closing: AbortSignal;
}

/** Answers a request about jobs; may reject with a `JobError`. */
export type JobHandler = (request: Request, context: JobContext) => Promise<Response>;

/**
 * Creates the handler of a route from that of its request; `closing` ends waits and event streams that
 * would outlast the server.
 */
export function toHandler(
  handler: JobHandler,
  { jobs, closing }: { readonly jobs: JobHost; readonly closing: AbortSignal },
): Handler {
  return (request, sender) => {
    const { caller, revoked, id = "", remoteAddr } = sender;
    return handler(request, {
      ...sender,
      jobs: jobs.forCaller(caller, remoteAddr.hostname, "http"),
      id,
      closing: revoked === undefined ? closing : AbortSignal.any([closing, revoked]),
    });
  };
}

/** Answers `GET /api/jobs`: the caller's jobs, newest first. */
export const listJobs: JobHandler = async (request, { jobs, exchange }) => {
  const query = parseJobQuery(new URL(request.url).searchParams);
  if (!query.ok) return problemResponse(query.problem);
  return jsonResponse(await jobs.list(query.value), exchange);
};

/**
 * Answers `GET /api/jobs/{id}`; with `wait`, at the next change of state, which is one from the state
 * in `If-None-Match` if the client sends it.
 */
export const getJob: JobHandler = async (request, context) => {
  const { jobs, id, exchange, occupy, client, closing } = context;
  const wait = parseWait(new URL(request.url).searchParams);
  if (!wait.ok) return problemResponse(wait.problem);
  using _place = wait.value === 0 ? undefined : occupy();
  const known = parseKnownJob(request.headers.get("if-none-match"));
  const job = wait.value === 0 ? await jobs.get(id) : await waitForChange(jobs, id, {
    timeoutMs: wait.value,
    signal: AbortSignal.any([client.signal, closing]),
    since: known.state,
  });
  const headers = { etag: toETag(job), "cache-control": "no-cache" };
  if (known.isCurrent(job)) return new Response(null, { status: 304, headers });
  return jsonResponse({ ...job, ...await jobs.argsOf(id) }, exchange, { headers });
};

/** Answers `DELETE /api/jobs/{id}`. */
export const deleteJob: JobHandler = async (_request, { jobs, id }) => {
  await jobs.delete(id);
  return new Response(null, { status: 204 });
};

/** Answers `POST /api/jobs/{id}/cancel`, as often as it comes. */
export const cancelJob: JobHandler = async (_request, { jobs, id, exchange }) => {
  return jsonResponse(await jobs.cancel(id), exchange, { status: 202 });
};

/** Answers `POST /api/jobs/{id}/stdin`: the body is input, of any media type. */
export function writeJobInput(maxBodyBytes: number): JobHandler {
  return async (request, { jobs, id, exchange }) => {
    const end = parseEnd(new URL(request.url).searchParams);
    if (!end.ok) return problemResponse(end.problem);
    const body = await readBytes(request, { maxBytes: maxBodyBytes, exchange });
    if (!body.ok) return problemResponse(body.problem);
    if (end.value) await jobs.endStdin(id, body.value);
    else await jobs.writeStdin(id, body.value);
    return new Response(null, { status: 204 });
  };
}

/** The largest body with replies. */
const MOST_REPLIES = 64 * 1024;
const ACTIONS: readonly unknown[] = ["accept", "decline", "cancel"];

/** Answers `POST /api/jobs/{id}/answer`: the body has a reply for each question, by key. */
export const answerJob: JobHandler = async (request, { jobs, id, exchange }) => {
  const body = await readJson(request, { maxBytes: MOST_REPLIES, exchange });
  if (!body.ok) return problemResponse(body.problem);
  const { value } = body;
  if (!isJsonObject(value) || !Object.values(value).every(isReply)) {
    const detail = 'The body must be {"question-1": {"action": "accept", "content": {...}}}, or ' +
      'have the action "decline" or "cancel", without content';
    return problemResponse(problemOf("BAD_REQUEST", detail));
  }
  await jobs.answer(id, value);
  return new Response(null, { status: 204 });
};

function isReply(reply: unknown): boolean {
  return isJsonObject(reply) && ACTIONS.includes(reply.action) &&
    (reply.content === undefined || isJsonObject(reply.content));
}

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

/** Everything that changes in a job changes with its state, the length of its output or its questions. */
export function toETag({ state, output, questions = {} }: Job): string {
  const keys = Object.keys(questions).map((key) => `-${key}`).join("");
  return `"${state}-${output.stdout.end}-${output.stderr.end}${keys}"`;
}

const TAG = /^(?:W\/)?"([a-z]+)-\d+-\d+(?:-question-\d+)*"$/;

/** The job that a client has, as `If-None-Match` says (RFC 9110, section 13.1.2). */
interface KnownJob {
  /** Whether the client has exactly this one. */
  isCurrent(job: Job): boolean;
  /** The state of the job that the client has. */
  readonly state?: JobState | undefined;
}

/** Reads `If-None-Match`; a tag that is none of a job matches nothing. */
export function parseKnownJob(header: string | null): KnownJob {
  const tags = (header ?? "").split(",").map((tag) => tag.trim());
  const states = tags.map((tag) => TAG.exec(tag)?.[1]);
  return {
    isCurrent: (job) => {
      const current = toETag(job);
      return tags.some((tag) => tag === "*" || tag.replace(/^W\//, "") === current);
    },
    state: JOB_STATES.find((one) => states.includes(one)),
  };
}

/** The longest wait of one request; more is clamped. */
export const MOST_WAIT_SECONDS = 60;

const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** Reads which jobs are listed. An empty parameter counts as absent. */
/** The longest text that is looked for in titles. */
const MOST_SEARCH = 200;

function parseJobQuery(parameters: URLSearchParams): Parsed<JobQuery> {
  const named = parameters.get("state") || undefined;
  const state = JOB_STATES.find((one) => one === named);
  if (state !== named) {
    const message = `must be one of ${JOB_STATES.join(", ")}, not ${quote(named ?? "")}`;
    return refuseParameter("state", message);
  }
  const ended = parameters.get("outcome") || undefined;
  const outcome = JOB_OUTCOMES.find((one) => one === ended);
  if (outcome !== ended) {
    const message = `must be one of ${JOB_OUTCOMES.join(", ")}, not ${quote(ended ?? "")}`;
    return refuseParameter("outcome", message);
  }
  const limit = parseNumber(parameters, "limit");
  if (!limit.ok) return limit;
  const search = parameters.get("search") || undefined;
  if (search !== undefined && search.length > MOST_SEARCH) {
    return refuseParameter("search", `must have at most ${MOST_SEARCH} characters`);
  }
  const tool = parameters.get("tool") || undefined;
  const cursor = parameters.get("cursor") || undefined;
  return { ok: true, value: { state, outcome, tool, search, limit: limit.value, cursor } };
}

/** Reads how long to wait, in milliseconds; more than 60 s and less than nothing are clamped. */
function parseWait(parameters: URLSearchParams): Parsed<number> {
  const seconds = parseNumber(parameters, "wait");
  if (!seconds.ok) return seconds;
  const clamped = Math.min(Math.max(seconds.value ?? 0, 0), MOST_WAIT_SECONDS);
  return { ok: true, value: clamped * 1_000 };
}

/** Reads whether the input ends after the body. */
function parseEnd(parameters: URLSearchParams): Parsed<boolean> {
  const end = parameters.get("end") || "false";
  if (end === "true" || end === "false") return { ok: true, value: end === "true" };
  return refuseParameter("end", `must be true or false, not ${quote(end)}`);
}

function parseNumber(parameters: URLSearchParams, name: string): Parsed<number | undefined> {
  const text = parameters.get(name) || undefined;
  if (text === undefined) return { ok: true, value: undefined };
  return NUMBER.test(text)
    ? { ok: true, value: Number(text) }
    : refuseParameter(name, `must be a number, not ${quote(text)}`);
}
