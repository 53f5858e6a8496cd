import type { MaskStream } from "../access/secret_mask.ts";
import type { OutputEvent, OutputStream, RunOptions } from "../tool/command.ts";
import { within } from "../shared/concurrency.ts";
import { messageOf } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";
import { OutputCapture } from "../tool/command_output.ts";

/** The input of a child and the handling of its output. */
interface IoOptions {
  /** Bytes kept of each output stream. */
  readonly limit: number;
  /** The whole input, or one that is written while the command runs. @default {none} */
  readonly stdin?: string | CommandInput | ReadableStream<Uint8Array> | undefined;
  readonly onOutput?: RunOptions["onOutput"];
  /** Masks both outputs. @default {they are left as they are} */
  readonly mask?: RunOptions["mask"];
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
  /** Counts the pieces of output that were read; `undefined` while a listener delays the next one. */
  pieces(): number | undefined;
  /** Keeps and reports what is held back of the output so far, and stops reporting. */
  mute(): void;
  /** Stops reading, and leaves the rest of the input unwritten. */
  close(): Promise<void>;
}

/** Starts to write the input and to read the output; neither waits for the other. */
export function openChildIo(child: Deno.ChildProcess, options: IoOptions): ChildIo {
  const { limit, stdin, mask, log } = options;
  let { onOutput } = options;
  const muteAfter = (error: unknown) => {
    onOutput = undefined;
    log.warn("a listener for output failed and is called no more", { error: messageOf(error) });
  };
  const report = (event: OutputEvent) => {
    try {
      const room = onOutput?.(event);
      // A listener that is not interested in this may return anything.
      return room instanceof Promise ? room.catch(muteAfter) : undefined;
    } catch (error) {
      return muteAfter(error);
    }
  };
  const read = (stream: OutputStream) =>
    readOutput(child[stream], {
      limit,
      mask: mask?.stream(),
      onPiece: onOutput && ((piece) => report({ stream, ...piece })),
    });
  const [out, err] = [read("stdout"), read("stderr")];
  const orLog = (work: Promise<unknown>) =>
    work.then(() => {}, (error) => {
      log.error("the streams of a command failed", { error: messageOf(error) });
    });
  const input = stdin ? openInput(child, stdin) : undefined;
  return {
    stdout: out.capture,
    stderr: err.capture,
    ended: orLog(Promise.all([out.ended, err.ended])),
    fed: input === undefined ? Promise.resolve() : orLog(input.fed),
    pieces: () => {
      const [first, second] = [out.pieces(), err.pieces()];
      return first === undefined || second === undefined ? undefined : first + second;
    },
    mute: () => {
      out.flush();
      err.flush();
      onOutput = undefined;
    },
    close: async () => {
      input?.close();
      await Promise.allSettled([out.close(), err.close()]);
    },
  };
}

/** How long output is read that continues to arrive. */
const MOST_DRAIN_MS = 30_000;

/** A timer that fires so much later than it was set shows that this process could not read either. */
const LATE_MS = 50;

/**
 * Resolves when the output has ended, or once none has arrived for so long: not while a listener
 * delays it, or this process had no time to read it. Waits for half a minute at most.
 */
export async function untilQuiet(io: Pick<ChildIo, "ended" | "pieces">, ms: number): Promise<void> {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  for (let pause = ms; elapsed() < MOST_DRAIN_MS;) {
    const [before, since] = [io.pieces(), elapsed()];
    if (await within(io.ended, pause)) return;
    const isQuiet = before !== undefined && before === io.pieces();
    const isLate = elapsed() - since >= pause + LATE_MS;
    if (isQuiet && !isLate) return;
    pause = isQuiet ? LATE_MS : ms;
  }
}

/** How much input may wait to be read. */
const MOST_WAITING = 1024 * 1024;

/**
 * The result of a write: `full` if too much waits to be read, `closed` if nothing reads anymore.
 */
export type InputVerdict = "accepted" | "full" | "closed";

/**
 * The input of a command that others write while it runs. One command reads it; what is written
 * earlier waits until that command starts.
 */
export class CommandInput {
  readonly #waiting: Uint8Array[] = [];
  #bytes = 0;
  #state: "open" | "ended" | "closed" = "open";
  #changed = Promise.withResolvers<void>();

  /** Accepts a copy of the bytes, all or none. */
  write(bytes: Uint8Array): InputVerdict {
    if (this.#state !== "open") return "closed";
    if (this.#bytes > 0 && this.#bytes + bytes.length > MOST_WAITING) return "full";
    this.#waiting.push(bytes.slice());
    this.#bytes += bytes.length;
    this.#changed.resolve();
    return "accepted";
  }

  /** Closes the command's input once it has read what was written. */
  end(): InputVerdict {
    if (this.#state !== "open") return "closed";
    this.#state = "ended";
    this.#changed.resolve();
    return "accepted";
  }

  /** Discards waiting input, and accepts no more, because the command has ended. */
  close(): void {
    this.#state = "closed";
    this.#waiting.length = 0;
    this.#changed.resolve();
  }

  /** Writes everything to a command, up to the end of the input or of the command. */
  async feed(writer: WritableStreamDefaultWriter<Uint8Array>): Promise<void> {
    while (this.#state !== "closed") {
      const bytes = this.#waiting.shift();
      if (bytes !== undefined) {
        await writer.write(bytes);
        this.#bytes -= bytes.length;
      } else if (this.#state === "ended") {
        return await writer.close();
      } else {
        await this.#changed.promise;
        this.#changed = Promise.withResolvers();
      }
    }
  }
}

/** The input of a child, which is being written. */
interface OpenInput {
  /** Resolves when it is written, or no reader is left. */
  readonly fed: Promise<void>;
  /** Leaves the rest unwritten. */
  close(): void;
}

function openInput(
  child: Deno.ChildProcess,
  stdin: string | CommandInput | ReadableStream<Uint8Array>,
): OpenInput {
  if (stdin instanceof ReadableStream) return pipeInput(child, stdin);
  const writer = child.stdin.getWriter();
  // The current write ends only when a process reads or closes the pipe, so nothing waits for it.
  const close = () => void writer.abort(CLOSED).catch(() => {});
  if (typeof stdin === "string") return { fed: feed(writer, stdin).catch(ignoreClosed), close };
  const closeBoth = () => {
    stdin.close();
    close();
  };
  const fed = stdin.feed(writer).catch(ignoreClosed).finally(() => stdin.close());
  // A background process may hold the input open; what is written next is for nobody.
  child.status.then(closeBoth, closeBoth);
  return { fed, close: closeBoth };
}

/** Copies a stream to the child, at the pace of the child, until one of them ends. */
function pipeInput(child: Deno.ChildProcess, source: ReadableStream<Uint8Array>): OpenInput {
  const ending = new AbortController();
  const close = () => ending.abort(CLOSED);
  const fed = source.pipeTo(child.stdin, { signal: ending.signal }).catch(ignoreClosed);
  child.status.then(close, close);
  return { fed, close };
}

/** How much of the input is written at once, and so still arrives after a close. */
const CHUNK_BYTES = 64 * 1024;

/** Why the rest of an input is not written. */
const CLOSED = Symbol("closed");

async function feed(writer: WritableStreamDefaultWriter<Uint8Array>, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    await writer.write(bytes.subarray(at, at + CHUNK_BYTES));
  }
  await writer.close();
}

/** A program may end, or close its input, without having read it all. */
function ignoreClosed(error: unknown): void {
  if (error !== CLOSED && !(error instanceof Deno.errors.BrokenPipe)) throw error;
}

/** How one output stream is read. */
interface ReaderOptions {
  /** Bytes kept. */
  readonly limit: number;
  /**
   * Called with each piece as it arrives; it must not throw. No more is read until a promise that it
   * returns resolves.
   */
  readonly onPiece?: ((piece: PieceOfOutput) => void | Promise<void>) | undefined;
  /** Masks the stream. @default {it is left as it is} */
  readonly mask?: MaskStream | undefined;
}

/** A piece of a stream: its bytes, and the characters that they complete. */
type PieceOfOutput = Required<Pick<OutputEvent, "text" | "bytes">>;

/** An output stream that is being read. */
interface OutputReader {
  readonly capture: OutputCapture;
  /** Resolves when the stream has ended or is closed; rejects if it can't be read. */
  readonly ended: Promise<void>;
  /** Counts the pieces that were read; `undefined` while `onPiece()` delays the next one. */
  pieces(): number | undefined;
  /** Keeps and reports what a mask holds back of the output so far. */
  flush(): void;
  /** Stops reading. */
  close(): Promise<void>;
}

const READ_BYTES = 64 * 1024;
/** After so much output the event loop gets a turn. */
const TURN_BYTES = 512 * 1024;

/** Reads a stream to its end through one reused buffer. */
export function readOutput(
  stream: ReadableStream<Uint8Array>,
  options: ReaderOptions,
): OutputReader {
  const { limit, onPiece, mask } = options;
  const capture = new OutputCapture(limit);
  const reader = stream.getReader({ mode: "byob" });
  const report = onPiece === undefined ? undefined : createDecoder(onPiece);
  let pieces = 0;
  let delayed = false;
  const keep = (chunk: Uint8Array) => {
    if (chunk.length === 0) return;
    capture.push(chunk);
    return report?.(chunk);
  };
  const take = (chunk: Uint8Array) => {
    pieces++;
    const room = keep(mask === undefined ? chunk : mask.push(chunk));
    if (room === undefined) return;
    delayed = true;
    return room.finally(() => delayed = false);
  };
  const flush = () => void (mask && keep(mask.end()));
  const ended = pump(reader, take).then(() => {
    flush();
    return report?.();
  });
  const count = () => delayed ? undefined : pieces;
  return { capture, ended, pieces: count, flush, close: () => reader.cancel() };
}

async function pump(
  reader: ReadableStreamBYOBReader,
  take: (chunk: Uint8Array) => void | Promise<void>,
): Promise<void> {
  let buffer = new Uint8Array(READ_BYTES);
  for (let turn = 0;;) {
    const { done, value } = await reader.read(buffer);
    if (done) return;
    const room = take(value);
    if (room !== undefined) await room;
    turn += value.length;
    buffer = new Uint8Array(value.buffer);
    if (turn < TURN_BYTES) continue;
    turn = 0;
    // Lets timers and other connections go on, which a flood holds up for tenths of a second.
    await new Promise((resolve) => setTimeout(resolve));
  }
}

const NO_BYTES = new Uint8Array(0);

/** Passes a stream on with text of whole characters; without a chunk, passes on the rest. */
function createDecoder(
  onPiece: (piece: PieceOfOutput) => void | Promise<void>,
): (chunk?: Uint8Array) => void | Promise<void> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return (bytes) => {
    if (bytes !== undefined) {
      return onPiece({ text: decoder.decode(bytes, { stream: true }), bytes });
    }
    const text = decoder.decode();
    if (text !== "") return onPiece({ text, bytes: NO_BYTES });
  };
}
