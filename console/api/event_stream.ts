/** A server-sent event; its data is JSON. */
export interface ServerEvent {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/** Reads the events of a response until it ends; when the loop is left, the response is cancelled. */
export async function* readEvents(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ServerEvent, void> {
  const decoder = new TextDecoderStream("utf-8", { ignoreBOM: true });
  const reader = stream.pipeThrough(decoder).getReader();
  try {
    for (let rest = "";;) {
      const { done, value } = await reader.read();
      if (done) return;
      const frames = (rest + value).split("\n\n");
      rest = frames.pop() ?? "";
      for (const frame of frames) {
        const event = parseFrame(frame);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}

/** Reads one event; comments are `undefined`. The server sends one line of data with each. */
function parseFrame(frame: string): ServerEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of frame.split("\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ""));
  }
  const data = fields.get("data");
  if (data === undefined) return undefined;
  return { id: fields.get("id") ?? "", event: fields.get("event") ?? "", data: JSON.parse(data) };
}
