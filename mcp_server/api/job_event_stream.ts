import { firstOf } from "../shared/deadline.ts";
import { quote } from "../shared/error.ts";
import { isFinal, JOB_START, type JobEvent, type WatchCursor } from "../tool/job.ts";
import type { JobService } from "../tool/job_service.ts";
import { EVENT_STREAM_HEADERS, frame, pacedBody } from "../http/response_body.ts";
import { problemOf, problemResponse } from "../http/problem.ts";
import type { JobHandler } from "./job_resource.ts";

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
