import type { OutputEvent } from "../../domain/command.ts";
import { messageOf } from "../../domain/error.ts";
import type { Log } from "../../domain/log.ts";
import { OutputCapture } from "../../domain/output_capture.ts";

/** The input of a child and the handling of its output. */
export interface IoOptions {
  /** Bytes kept of each output stream. */
  readonly limit: number;
  readonly stdin?: string;
  readonly onOutput?: (event: OutputEvent) => void;
  readonly log: Log;
}

/** The three standard streams of a child. */
export interface ChildIo {
  readonly stdout: OutputCapture;
  readonly stderr: OutputCapture;
  /** Resolves when no process holds the other end of an output stream, or they are closed. */
  readonly ended: Promise<void>;
  /** Resolves when the input is written, or no reader is left. */
  readonly fed: Promise<void>;
  /** Stops reporting output. */
  mute(): void;
  /** Stops reading, and leaves the rest of the input unwritten. */
  close(): Promise<void>;
}

/** Starts to write the input and to read the output; neither waits for the other. */
export function openChildIo(child: Deno.ChildProcess, options: IoOptions): ChildIo {
  const { limit, stdin, log } = options;
  let { onOutput } = options;
  const tell = (event: OutputEvent) => {
    try {
      onOutput?.(event);
    } catch (error) {
      onOutput = undefined;
      log.warn("a listener for output failed and is called no more", { error: messageOf(error) });
    }
  };
  const read = (stream: "stdout" | "stderr") =>
    readOutput(child[stream], {
      limit,
      ...(onOutput === undefined ? {} : { onText: (text) => tell({ stream, text }) }),
    });
  const [out, err] = [read("stdout"), read("stderr")];
  const input = stdin ? child.stdin.getWriter() : undefined;
  const orLog = (work: Promise<unknown>) =>
    work.then(() => {}, (error) => {
      log.error("the streams of a command failed", { error: messageOf(error) });
    });
  return {
    stdout: out.capture,
    stderr: err.capture,
    ended: orLog(Promise.all([out.ended, err.ended])),
    fed: input === undefined || stdin === undefined ? Promise.resolve() : orLog(feed(input, stdin)),
    mute: () => onOutput = undefined,
    close: async () => {
      // The current write ends only when a process reads or closes the pipe, so nothing waits for
      // it.
      input?.abort(CLOSED).catch(() => {});
      await Promise.allSettled([out.close(), err.close()]);
    },
  };
}

/** How much of the input is written at once, and so still arrives after a close. */
const CHUNK_BYTES = 64 * 1024;

/** Why the rest of an input is not written. */
const CLOSED = Symbol("closed");

async function feed(input: WritableStreamDefaultWriter<Uint8Array>, text: string): Promise<void> {
  try {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      await input.write(bytes.subarray(at, at + CHUNK_BYTES));
    }
    await input.close();
  } catch (error) {
    // A program may end, or close its input, without having read it all.
    if (error !== CLOSED && !(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

/** How one output stream is read. */
export interface ReaderOptions {
  /** Bytes kept. */
  readonly limit: number;
  /** Called with each piece of text as it arrives; it must not throw. */
  readonly onText?: (text: string) => void;
}

/** An output stream that is being read. */
export interface OutputReader {
  readonly capture: OutputCapture;
  /** Resolves when the stream has ended or is closed; rejects if it can't be read. */
  readonly ended: Promise<void>;
  /** Stops reading. */
  close(): Promise<void>;
}

const READ_BYTES = 64 * 1024;

/** Reads a stream to its end through one reused buffer. */
export function readOutput(
  stream: ReadableStream<Uint8Array>,
  options: ReaderOptions,
): OutputReader {
  const { limit, onText } = options;
  const capture = new OutputCapture(limit);
  const reader = stream.getReader({ mode: "byob" });
  const tell = onText === undefined ? undefined : createTextDecoder(onText);
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
  let buffer = new Uint8Array(READ_BYTES);
  while (true) {
    const { done, value } = await reader.read(buffer);
    if (done) return;
    take(value);
    buffer = new Uint8Array(value.buffer);
  }
}

/** Passes text on in pieces of whole characters; without a chunk, passes on the rest. */
function createTextDecoder(onText: (text: string) => void): (chunk?: Uint8Array) => void {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return (chunk) => {
    const text = chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    if (text !== "") onText(text);
  };
}
