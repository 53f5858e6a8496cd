import { firstOf } from "../shared/deadline.ts";
import type { Exchange } from "./http_connection.ts";

/** The largest part of a body that is passed on at once. */
const PART_BYTES = 64 * 1024;

/** What a body needs of its exchange. */
export type Pace = Pick<Exchange, "expectReader" | "expectNothing">;

type Part = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

/** Status and further headers of a response. */
export interface ResponseParts {
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

/** What happens while a body is read. */
export interface PacedBodyOptions {
  /** Called with the size of what the client is about to read. */
  readonly onTaken?: (bytes: number) => void;
  /** Ends the body early. */
  readonly until?: AbortSignal | undefined;
}

/** Passes a body on as its client reads it, with a deadline for each part. */
export function pacedBody(
  body: ReadableStream<Part>,
  pace: Pace,
  { onTaken = () => {}, until }: PacedBodyOptions = {},
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
