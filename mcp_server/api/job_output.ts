import { EVENT_STREAM_HEADERS, frame, jsonResponse, pacedBody } from "../http/body.ts";
import { type Parsed, problemOf, problemResponse, refuseParameter } from "../http/problem.ts";
import { firstOf } from "../shared/concurrency.ts";
import { quote } from "../shared/error.ts";
import type { OutputStream } from "../tool/command.ts";
import {
  isFinal,
  JOB_START,
  type JobEvent,
  type OutputRange,
  type WatchCursor,
} from "../tool/job.ts";
import type { JobService, MergedEvent, MergedRequest, OutputPart } from "../tool/job_service.ts";
import type { JobContext, JobHandler } from "./job_resource.ts";

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
    const body = pacedBody(ReadableStream.from(readParts({ jobs, id, stream }, parts)), exchange);
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
  const detail = `Cannot send this range: ${reason}; the next offset is ${firstOffset}`;
  return problemResponse(problemOf("BAD_OFFSET", detail, {
    "trestle-first-offset": String(firstOffset),
    ...(ended ? { "content-range": `bytes */${range.end}` } : {}),
  }));
}

/**
 * Reads the bytes as they are sent. If the job overtakes a slow client, and they are no longer kept,
 * the response breaks off: its length says that it is not whole.
 */
async function* readParts(
  { jobs, id, stream }: Pick<JobContext, "jobs" | "id"> & { readonly stream: OutputStream },
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

/** Bytes of a stream: from `from` up to, but not including, `to`. */
interface Bytes {
  readonly from: number;
  readonly to: number;
}

/** Which bytes of a stream are requested. */
type Selection =
  /** All that are kept. */
  | { readonly kind: "whole"; readonly parts: readonly Bytes[] }
  /** One range of them. */
  | { readonly kind: "part"; readonly bytes: Bytes }
  /** None that are there; `firstOffset` is the next one where there are, or will be, bytes. */
  | { readonly kind: "none"; readonly firstOffset: number; readonly reason: string };

const UNIT = /^bytes\s*=/i;
const FROM = /^(\d+)-(\d*)$/;
const SUFFIX = /^-(\d+)$/;

/**
 * Reads a `Range` header (RFC 9110, section 14.2) for what is kept of a stream. Other units and
 * several ranges at once are ignored, as the RFC allows; a range that runs into the gap ends there.
 */
export function selectBytes(header: string | null, range: OutputRange): Selection {
  const { start, end, gap } = range;
  const whole: Selection = {
    kind: "whole",
    parts: gap === undefined
      ? [{ from: start, to: end }]
      : [{ from: start, to: gap.from }, { from: gap.to, to: end }],
  };
  if (header === null || !UNIT.test(header) || header.includes(",")) return whole;
  const wanted = header.slice(header.indexOf("=") + 1).trim();
  const [, length] = SUFFIX.exec(wanted) ?? [];
  if (length !== undefined) return selectSuffix(Number(length), range);
  const [, first, last = ""] = FROM.exec(wanted) ?? [];
  const to = last === "" ? Infinity : Number(last) + 1;
  if (first === undefined || to <= Number(first)) return none(start, NO_RANGE);
  return selectFrom(Number(first), to, range);
}

const NO_RANGE = "it is not a range; send bytes=first-last, bytes=first- or bytes=-length";

/** The last bytes; those before the gap are not among them. */
function selectSuffix(length: number, { start, end, gap }: OutputRange): Selection {
  const from = Math.max(end - length, gap?.to ?? start);
  return from < end ? part(from, end) : none(end, "there are no such bytes");
}

function selectFrom(from: number, to: number, { start, end, gap }: OutputRange): Selection {
  if (from < start) return none(start, `the output begins at ${start}`);
  if (from >= end) return none(end, `the output ends at ${end}`);
  if (gap === undefined || from >= gap.to) return part(from, Math.min(to, end));
  if (from < gap.from) return part(from, Math.min(to, gap.from));
  return none(gap.to, `the bytes from ${gap.from} to ${gap.to - 1} are not kept`);
}

function part(from: number, to: number): Selection {
  return { kind: "part", bytes: { from, to } };
}

function none(firstOffset: number, reason: string): Selection {
  return { kind: "none", firstOffset, reason };
}

/** How often a silent stream sends a comment, so that proxies keep it open. */
const HEARTBEAT_MS = 15_000;

type Part = Uint8Array<ArrayBuffer>;

/**
 * Answers `GET /api/jobs/{id}/events`: everything that happens to a job, from its start or from
 * after `Last-Event-ID`. A slow client gets it late, but all of it. After the last event there is
 * nothing: 204, at which an `EventSource` stops to reconnect.
 */
export const sendJobEvents: JobHandler = async (request, context) => {
  const { jobs, id, exchange, occupy, closing } = context;
  const lastEventId = request.headers.get("last-event-id");
  const position = parseEventId(lastEventId);
  if (position === undefined) {
    const after = `Cannot resume the events after ${quote(lastEventId ?? "")}`;
    const detail = `${after}: it is not the id of an event of this server`;
    return problemResponse(problemOf("BAD_CURSOR", detail));
  }
  await jobs.read(id, { stream: "stdout", limit: 0 });
  if (position.isOver) return new Response(null, { status: 204 });
  occupy();
  const gone = new AbortController();
  const signal = AbortSignal.any([request.signal, gone.signal, closing]);
  const frames = jobFrames(jobs, id, { ...position, signal });
  const body = new ReadableStream<Part>({
    pull: async (controller) => {
      const { done, value } = await frames.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      gone.abort();
      await frames.return();
    },
  }, { highWaterMark: 0 });
  return new Response(pacedBody(body, exchange), { headers: EVENT_STREAM_HEADERS });
};

/** Every event of a job as it is sent, with comments in between if it is silent. */
async function* jobFrames(
  jobs: JobService,
  id: string,
  { cursor, signal }: EventPosition & { readonly signal: AbortSignal },
): AsyncGenerator<Part, void> {
  let last: WatchCursor = cursor;
  const watching = jobs.watch(id, { from: cursor, signal })[Symbol.asyncIterator]();
  try {
    for (let next = watching.next();;) {
      using pause = firstOf({ timeoutMs: HEARTBEAT_MS });
      const result = await Promise.race([next, pause.expired]);
      if (typeof result === "string") {
        yield HEARTBEAT;
        continue;
      }
      if (result.done) break;
      last = result.value.cursor;
      yield toFrame(result.value);
      next = watching.next();
    }
  } finally {
    await watching.return?.();
  }
  if (!signal.aborted) yield* lastFrame(jobs, id, last);
}

const HEARTBEAT: Part = new TextEncoder().encode(": the job is silent\n\n");

/** Pieces hold whole characters; a byte order mark is a character as any other. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function toFrame(event: JobEvent): Part {
  const id = toEventId(event.cursor);
  switch (event.type) {
    case "stdout":
    case "stderr":
      return frame(event.type, { offset: event.offset, text: decoder.decode(event.bytes) }, id);
    case "gap":
      return frame("gap", { stream: event.stream, ...event.gap }, id);
    case "progress":
      return frame("progress", event.update, id);
    case "state":
      return frame("state", { state: event.state }, id);
  }
}

/** The result or the error of a job that has ended. */
async function* lastFrame(
  jobs: JobService,
  id: string,
  cursor: WatchCursor,
): AsyncGenerator<Part, void> {
  const { state, result, error } = await jobs.get(id);
  if (!isFinal(state)) return;
  if (result !== undefined) yield frame("result", result, toEventId(cursor, true));
  else if (error !== undefined) yield frame("error", error, toEventId(cursor, true));
}

/** A position in the events of a job; after the last one nothing follows. */
interface EventPosition {
  readonly cursor: WatchCursor;
  /** Whether the result or the error has been sent, too. */
  readonly isOver: boolean;
}

const ID = /^(\d{1,15})-(\d{1,15})-(\d{1,15})(-end)?$/;

/** The id of the event before a position. */
export function toEventId({ stdout, stderr, events }: WatchCursor, isOver = false): string {
  return `${stdout}-${stderr}-${events}${isOver ? "-end" : ""}`;
}

/** Reads `Last-Event-ID`; `undefined` if it is none that the server sends. */
export function parseEventId(header: string | null): EventPosition | undefined {
  if (header === null || header === "") return { cursor: JOB_START, isOver: false };
  const match = ID.exec(header);
  if (match === null) return undefined;
  const [stdout = 0, stderr = 0, events = 0] = match.slice(1, 4).map(Number);
  return { cursor: { stdout, stderr, events }, isOver: match[4] !== undefined };
}

const PLACE = /^(\d{1,15})-(\d{1,15})$/;
const LIMIT = /^\d{1,9}$/;

/**
 * Answers `GET /api/jobs/{id}/output`: both streams in the order in which their output was stored, up
 * to the place `before`, at most `limit` bytes. Its `start` is the `before` of the part before.
 */
export const sendMergedOutput: JobHandler = async (request, { jobs, id, exchange }) => {
  const wanted = parseMergedRequest(new URL(request.url).searchParams);
  if (!wanted.ok) return problemResponse(wanted.problem);
  const { events, start, end } = await jobs.readMerged(id, wanted.value);
  return jsonResponse({
    parts: events.map(toMergedPart),
    start: `${start.stdout}-${start.stderr}`,
    end: `${end.stdout}-${end.stderr}`,
  }, exchange);
};

function parseMergedRequest(parameters: URLSearchParams): Parsed<MergedRequest> {
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
function toMergedPart(event: MergedEvent): object {
  if (event.type === "gap") return { stream: event.stream, gap: event.gap };
  if (!("bytes" in event)) return {};
  const at = event.at === undefined ? undefined : new Date(event.at).toISOString();
  return { stream: event.type, offset: event.offset, at, text: decoder.decode(event.bytes) };
}
