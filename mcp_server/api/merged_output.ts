import { jsonResponse } from "../http/body.ts";
import { type Parsed, problemResponse, refuseParameter } from "../http/problem.ts";
import { quote } from "../shared/error.ts";
import type { MergedEvent, MergedRequest } from "../tool/job_service.ts";
import type { JobHandler } from "./job_resource.ts";

const PLACE = /^(\d{1,15})-(\d{1,15})$/;
const LIMIT = /^\d{1,9}$/;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Answers `GET /api/jobs/{id}/output`: both streams in the order in which their output was stored, up
 * to the place `before`, at most `limit` bytes. Its `start` is the `before` of the part before.
 */
export const sendMergedOutput: JobHandler = async (request, { jobs, id, exchange }) => {
  const wanted = parseRequest(new URL(request.url).searchParams);
  if (!wanted.ok) return problemResponse(wanted.problem);
  const { events, start, end } = await jobs.readMerged(id, wanted.value);
  return jsonResponse({
    parts: events.map(toPart),
    start: `${start.stdout}-${start.stderr}`,
    end: `${end.stdout}-${end.stderr}`,
  }, exchange);
};

function parseRequest(parameters: URLSearchParams): Parsed<MergedRequest> {
  const before = parameters.get("before") || undefined;
  const [, stdout, stderr] = PLACE.exec(before ?? "0-0") ?? [];
  if (stdout === undefined) {
    const detail = `must be the start of another part, such as 120-40, not ${quote(before ?? "")}`;
    return refuseParameter("before", detail);
  }
  const limit = parameters.get("limit") || "65536";
  if (!LIMIT.test(limit)) {
    return refuseParameter("limit", `must be a number of bytes, not ${quote(limit)}`);
  }
  const place = { stdout: Number(stdout), stderr: Number(stderr) };
  return {
    ok: true,
    value: { ...(before === undefined ? {} : { before: place }), limit: Number(limit) },
  };
}

/** A piece of a stream, or bytes of it that are not kept. */
function toPart(event: MergedEvent): object {
  if (event.type === "gap") return { stream: event.stream, gap: event.gap };
  if (!("bytes" in event)) return {};
  const at = event.at === undefined ? undefined : new Date(event.at).toISOString();
  return { stream: event.type, offset: event.offset, at, text: decoder.decode(event.bytes) };
}
