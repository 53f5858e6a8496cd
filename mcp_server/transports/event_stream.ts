/** Bytes that may wait for a slow client; what comes on top of them is dropped. */
const MOST_WAITING = 1024 * 1024;

/** Sends server-sent events (HTML standard, "Server-sent events"). */
export interface EventSender {
  /** Sends an event; one that a slow client has no room for is dropped, except the last. */
  send(event: string, data: unknown): void;
  /** Sends the last event and ends the stream. */
  end(event: string, data: unknown): void;
}

/**
 * Answers with an event stream that `run` fills. `onGone` is called when the client hangs up before
 * the end; nothing that is sent after that reaches anyone.
 */
export function eventStreamResponse(
  run: (sender: EventSender) => void,
  onGone: () => void,
): Response {
  const encoder = new TextEncoder();
  let ended = false;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const frame = (event: string, data: unknown) =>
        encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      run({
        send: (event, data) => {
          if (ended || (controller.desiredSize ?? 0) <= 0) return;
          controller.enqueue(frame(event, data));
        },
        end: (event, data) => {
          if (ended) return;
          ended = true;
          controller.enqueue(frame(event, data));
          controller.close();
        },
      });
    },
    cancel() {
      ended = true;
      onGone();
    },
  }, new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING }));
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-cache" },
  });
}
