import type { OutputStream } from "../tool/command.ts";
import type { OutputPart } from "../tool/job_service.ts";
import { type Pace, pacedBody } from "../http/paced_body.ts";
import { problemResponse } from "../http/problem.ts";
import { type Bytes, selectBytes, type Selection } from "./byte_range.ts";
import type { JobContext, JobHandler } from "./job_handler.ts";

/** How much is read from the store at once. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Answers `GET /api/jobs/{id}/stdout` or `/stderr`: all that is kept, or one range of it. How much
 * that is, is decided once, when the request comes.
 */
export function sendJobOutput(stream: OutputStream): JobHandler {
  return async (request, { jobs, id, exchange }) => {
    const known = await jobs.read(id, { stream, limit: 0 });
    // There is no validator that `If-Range` could name, so its condition is never true.
    const header = request.headers.has("if-range") ? null : request.headers.get("range");
    const selected = selectBytes(header, known.range);
    if (selected.kind === "none") return notThere(selected, known);
    const parts = selected.kind === "whole" ? selected.parts : [selected.bytes];
    const headers = {
      "content-type": "application/octet-stream",
      "content-length": String(parts.reduce((size, { from, to }) => size + to - from, 0)),
      "accept-ranges": "bytes",
      "cache-control": "no-cache",
      ...(selected.kind === "whole" ? toGapHeader(known) : toRangeHeader(selected.bytes, known)),
    };
    const body = bodyOf(readParts({ jobs, id, stream }, parts), exchange);
    return new Response(body, { status: selected.kind === "whole" ? 200 : 206, headers });
  };
}

/** The gap as in the job: the first byte that is missing, and the first one that is there again. */
function toGapHeader({ range: { gap } }: OutputPart): Record<string, string> {
  return gap === undefined ? {} : { "trestle-gap": `${gap.from}-${gap.to}` };
}

/** The total is known once the job is over (RFC 9110, section 14.4). */
function toRangeHeader(
  { from, to }: Bytes,
  { range, ended }: OutputPart,
): Record<string, string> {
  return { "content-range": `bytes ${from}-${to - 1}/${ended ? range.end : "*"}` };
}

function notThere(
  { reason, firstOffset }: Selection & { kind: "none" },
  { range, ended }: OutputPart,
): Response {
  return problemResponse({
    status: 416,
    code: "BAD_OFFSET",
    detail: `Cannot send this range: ${reason}; the next offset is ${firstOffset}`,
    headers: {
      "trestle-first-offset": String(firstOffset),
      ...(ended ? { "content-range": `bytes */${range.end}` } : {}),
    },
  });
}

interface Source extends Pick<JobContext, "jobs" | "id"> {
  readonly stream: OutputStream;
}

/**
 * Reads the bytes as they are sent. If the job overtakes a slow client, and they are no longer kept,
 * the response breaks off: its length says that it is not whole.
 */
async function* readParts(
  { jobs, id, stream }: Source,
  parts: readonly Bytes[],
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  for (const { from, to } of parts) {
    for (let offset = from; offset < to;) {
      const limit = Math.min(to - offset, CHUNK_BYTES);
      const { bytes } = await jobs.read(id, { stream, offset, limit });
      if (bytes.length === 0) throw new Error(`Cannot read from offset ${offset}: it is gone`);
      yield bytes;
      offset += bytes.length;
    }
  }
}

function bodyOf(
  bytes: AsyncGenerator<Uint8Array<ArrayBuffer>, void>,
  pace: Pace,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return pacedBody(ReadableStream.from(bytes), pace);
}
