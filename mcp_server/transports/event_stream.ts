/** Bytes that may wait for a slow client; what comes on top of them is dropped. */
const MOST_WAITING = 1024 * 1024;

/** Sends server-sent events (HTML standard, "Server-sent events"). */
export interface EventSender {
  /**
   * Sends an event. One that a slow client has no room for is dropped; a `dropped` event says later
   * how many there were.
   */
  send(event: string, data: unknown): void;
  /** Sends the last event and ends the stream. Throws, and ends nothing, where it is not JSON. */
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
  let dropped = 0;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const frame = (event: string, data: unknown) =>
        encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      const tellDropped = () => {
        if (dropped > 0) controller.enqueue(frame("dropped", { events: dropped }));
        dropped = 0;
      };
      run({
        send: (event, data) => {
          if (ended) return;
          if ((controller.desiredSize ?? 0) <= 0) return void dropped++;
          tellDropped();
          controller.enqueue(frame(event, data));
        },
        end: (event, data) => {
          if (ended) return;
          const last = frame(event, data);
          ended = true;
          tellDropped();
          controller.enqueue(last);
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
