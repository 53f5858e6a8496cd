import { readBytes } from "../http/body.ts";
import { jsonResponse } from "../http/paced_body.ts";
import { problemResponse } from "../http/problem.ts";
import { parseKnownJob, toETag } from "./job_etag.ts";
import { parseEnd, parseJobQuery, parseWait } from "./job_query.ts";
import type { JobHandler } from "./job_handler.ts";
import { waitForChange } from "./wait_for_change.ts";

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
    ...(known.state === undefined ? {} : { since: known.state }),
  });
  const headers = { etag: toETag(job), "cache-control": "no-cache" };
  if (known.isCurrent(job)) return new Response(null, { status: 304, headers });
  return jsonResponse(job, exchange, { headers });
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
export const writeJobInput: JobHandler = async (request, { jobs, id, exchange, maxBodyBytes }) => {
  const end = parseEnd(new URL(request.url).searchParams);
  if (!end.ok) return problemResponse(end.problem);
  const body = await readBytes(request, { maxBytes: maxBodyBytes, exchange });
  if (!body.ok) return problemResponse(body.problem);
  if (body.bytes.length > 0 || !end.value) await jobs.writeStdin(id, body.bytes);
  if (end.value) await jobs.endStdin(id);
  return new Response(null, { status: 204 });
};
