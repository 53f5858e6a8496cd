import type { Exchange } from "./http_connection.ts";
import { type Parsed, refuse } from "./problem.ts";
import { firstOf } from "../shared/concurrency.ts";

const JSON_TYPE = /^application\/(?:json|[a-z0-9.!#$&^_+-]+\+json)\s*(?:;.*)?$/i;

/**
 * A body up to this size is read at once; a larger one is read in parts, each with its own
 * deadline.
 */
const SMALL_BYTES = 64 * 1024;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** How much of a body is read, and what sets the client's deadline. */
interface BodyOptions {
  readonly maxBytes: number;
  readonly exchange: Pick<Exchange, "expectBody" | "expectNothing">;
}

/** Reads the JSON body of a request. */
export async function readJson(request: Request, options: BodyOptions): Promise<Parsed<unknown>> {
  if (!isJsonType(request.headers.get("content-type"))) {
    return refuse("UNSUPPORTED_MEDIA_TYPE", "Send the body as application/json");
  }
  const body = await readBytes(request, options);
  return body.ok ? parse(body.value) : body;
}

/** Reads the body of a request, and counts its bytes as they arrive. */
export async function readBytes(
  request: Request,
  options: BodyOptions,
): Promise<Parsed<Uint8Array<ArrayBuffer>>> {
  const { maxBytes, exchange } = options;
  const length = request.headers.get("content-length");
  if (Number(length) > maxBytes) return tooLarge(maxBytes);
  try {
    exchange.expectBody();
    const isSmall = length !== null && Number(length) <= SMALL_BYTES;
    const bytes = await (isSmall ? request.bytes() : readStream(request.body, options));
    return bytes === undefined ? tooLarge(maxBytes) : { ok: true, value: bytes };
  } catch {
    return refuse("BODY_UNREADABLE", "The body ended early");
  } finally {
    exchange.expectNothing();
  }
}

function isJsonType(type: string | null): boolean {
  return type === "application/json" || (type !== null && JSON_TYPE.test(type.trim()));
}

function parse(bytes: Uint8Array<ArrayBuffer>): Parsed<unknown> {
  try {
    return { ok: true, value: JSON.parse(decoder.decode(bytes)) };
  } catch (error) {
    const reason = error instanceof SyntaxError ? "The body is not JSON" : "The body is not UTF-8";
    return refuse("MALFORMED_JSON", reason);
  }
}

/** Reads a body in parts; `undefined` if it is too large. */
async function readStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  { maxBytes, exchange }: BodyOptions,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
    exchange.expectBody();
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function tooLarge(maxBytes: number): Parsed<never> {
  return refuse(
    "BODY_TOO_LARGE",
    `The body is larger than ${maxBytes} bytes; the operator can set MCP_MAX_BODY_BYTES`,
  );
}

/** The largest part of a body that is passed on at once. */
const PART_BYTES = 64 * 1024;

/** What a body needs of its exchange. */
export type Pace = Pick<Exchange, "expectReader" | "expectNothing">;

type Part = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

/** Status and further headers of a response. */
interface ResponseParts {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers with a value as JSON, as {@linkcode textResponse} does. Throws if the value is not JSON. */
export function jsonResponse(value: unknown, pace: Pace, parts: ResponseParts = {}): Response {
  const headers = { "content-type": "application/json", ...parts.headers };
  return textResponse(JSON.stringify(value), pace, { ...parts, headers });
}

/**
 * Answers with a text. A large answer is sent in parts, so that a client that doesn't read it is
 * noticed.
 */
export function textResponse(text: string, pace: Pace, parts: ResponseParts): Response {
  const { status = 200, headers = {} } = parts;
  if (text.length <= PART_BYTES) return new Response(text, { status, headers });
  const bytes = encoder.encode(text);
  return new Response(pacedBody(ReadableStream.from([bytes]), pace), {
    status,
    headers: { ...headers, "content-length": String(bytes.length) },
  });
}

/**
 * Passes a body on as its client reads it, with a deadline for each part. `onTaken` is called with the
 * size of what the client is about to read; `until` ends the body early.
 */
export function pacedBody(
  body: ReadableStream<Part>,
  pace: Pace,
  { onTaken = () => {}, until }: {
    readonly onTaken?: (bytes: number) => void;
    readonly until?: AbortSignal | undefined;
  } = {},
): ReadableStream<Part> {
  const reader = body.getReader();
  // What the reader waits for is then its end.
  const end = firstOf({ signal: until }, () => void reader.cancel().catch(() => {}));
  let rest: Part = new Uint8Array();
  return new ReadableStream<Part>({
    async pull(controller) {
      pace.expectNothing();
      if (rest.length === 0) {
        const { done, value } = await reader.read();
        if (done) {
          end[Symbol.dispose]();
          pace.expectReader();
          return controller.close();
        }
        rest = value;
        onTaken(value.length);
      }
      const part = rest.subarray(0, PART_BYTES);
      rest = rest.subarray(PART_BYTES);
      pace.expectReader();
      controller.enqueue(part);
    },
    cancel: (reason) => {
      end[Symbol.dispose]();
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}

/** Sends server-sent events (HTML standard, "Server-sent events"). */
export interface EventSender {
  /**
   * Sends an event. One that a slow client has no room for, or that is not JSON, is dropped; a
   * later `dropped` event reports how many there were.
   */
  send(event: string, data: unknown): void;
  /**
   * Sends the last event and ends the stream. If it is not JSON, throws and does not end the
   * stream.
   */
  end(event: string, data: unknown): void;
}

/**
 * Responds with an event stream that `run` fills. `onGone` is called if the client disconnects before
 * the end; events after that are dropped.
 */
export function eventStreamResponse(
  run: (sender: EventSender) => void,
  onGone: () => void,
  pace: Pace,
): Response {
  let isOpen = true;
  let isGone = false;
  let dropped = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      // A stream may be cancelled while `enqueue()` runs, because its reader notices a disconnect.
      const enqueue = (event: Uint8Array<ArrayBuffer>) => {
        if (!isGone) controller.enqueue(event);
      };
      const reportDropped = () => {
        if (dropped > 0) enqueue(frame("dropped", { events: dropped }));
        dropped = 0;
      };
      run({
        send: (event, data) => {
          if (!isOpen) return;
          const framed = (controller.desiredSize ?? 0) > 0 ? tryFrame(event, data) : undefined;
          if (framed === undefined) return void dropped++;
          reportDropped();
          enqueue(framed);
        },
        end: (event, data) => {
          if (!isOpen) return;
          const last = frame(event, data);
          isOpen = false;
          reportDropped();
          enqueue(last);
          if (!isGone) controller.close();
        },
      });
    },
    cancel() {
      isOpen = false;
      isGone = true;
      onGone();
    },
  }, new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING }));
  return new Response(pacedBody(body, pace), { headers: EVENT_STREAM_HEADERS });
}

/** Keeps an nginx proxy from buffering events. */
export const UNBUFFERED = { name: "x-accel-buffering", value: "no" } as const;

/** The headers of every event stream. */
export const EVENT_STREAM_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  [UNBUFFERED.name]: UNBUFFERED.value,
});

/** The bytes of one event, with the id that a client repeats to resume after it. */
export function frame(event: string, data: unknown, id?: string): Uint8Array<ArrayBuffer> {
  const first = id === undefined ? "" : `id: ${id}\n`;
  return encoder.encode(`${first}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

function tryFrame(event: string, data: unknown): Uint8Array<ArrayBuffer> | undefined {
  try {
    return frame(event, data);
  } catch {
    return undefined;
  }
}

/** Sent messages that a client has not read yet. */
export interface Backlog {
  /** Whether to drop what is not urgent, such as progress. */
  readonly isFull: boolean;
  /** Counts what is sent, in bytes or characters. */
  add(size: number): void;
}

/** How much may wait for a slow client before progress is dropped. */
export const MOST_WAITING = 1024 * 1024;

/** The backlog of one response, which counts what is sent and what the client reads. */
export class ResponseBacklog implements Backlog {
  #waiting = 0;

  get isFull(): boolean {
    return this.#waiting >= MOST_WAITING;
  }

  add(size: number): void {
    this.#waiting += size;
  }

  /**
   * Counts what the client reads; it may be more than was counted before, because messages have
   * frames.
   */
  take(size: number): void {
    this.#waiting = Math.max(this.#waiting - size, 0);
  }
}
