import { OutputCapture } from "../../domain/output_capture.ts";

/** How one output stream is taken in. */
export interface ReaderOptions {
  /** Bytes kept. */
  readonly limit: number;
  /** Called with each piece of text as it comes; it must not throw. */
  readonly onText?: (text: string) => void;
}

/** An output stream that is being read. */
export interface OutputReader {
  readonly capture: OutputCapture;
  /** Resolves when the stream is at its end or closed; rejects where it can't be read. */
  readonly ended: Promise<void>;
  /** Stops reading. */
  close(): Promise<void>;
}

const CHUNK_BYTES = 64 * 1024;

/** Reads a stream to its end, through one buffer that is used again and again. */
export function readOutput(
  stream: ReadableStream<Uint8Array>,
  options: ReaderOptions,
): OutputReader {
  const { limit, onText } = options;
  const capture = new OutputCapture(limit);
  const reader = stream.getReader({ mode: "byob" });
  const tell = onText === undefined ? undefined : createTextTeller(onText);
  const take = (chunk: Uint8Array) => {
    capture.push(chunk);
    tell?.(chunk);
  };
  const ended = pump(reader, take).then(() => tell?.());
  return { capture, ended, close: () => reader.cancel() };
}

async function pump(
  reader: ReadableStreamBYOBReader,
  take: (chunk: Uint8Array) => void,
): Promise<void> {
  let buffer = new Uint8Array(CHUNK_BYTES);
  while (true) {
    const { done, value } = await reader.read(buffer);
    if (done) return;
    take(value);
    buffer = new Uint8Array(value.buffer);
  }
}

/** Tells text in pieces of whole characters; called without a chunk, it tells what is left over. */
function createTextTeller(onText: (text: string) => void): (chunk?: Uint8Array) => void {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return (chunk) => {
    const text = chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    if (text !== "") onText(text);
  };
}
