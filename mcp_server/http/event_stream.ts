import { MOST_WAITING, type Pace, pacedBody } from "./paced_body.ts";

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

/** What an event stream needs to know about its client. */
export interface EventStreamOptions {
  /** Called when the client disconnects before the end. */
  readonly onGone: () => void;
  /** Sets the deadline for the client to read what is sent. */
  readonly pace: Pace;
}

/** Responds with an event stream that `run` fills; events after a disconnect are dropped. */
export function eventStreamResponse(
  run: (sender: EventSender) => void,
  { onGone, pace }: EventStreamOptions,
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

const encoder = new TextEncoder();

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
