import { firstOf } from "./deadline.ts";

const encoder = new TextEncoder();

/** A destination for whole lines. */
export interface LineSink {
  /** Writes a line, including its line end, in the background. Never throws. */
  write(line: string): void;
  /** Resolves when the waiting lines are written. */
  flush(): Promise<void>;
}

/** A destination that also says when a line has arrived. */
export interface PromptSink extends LineSink {
  /**
   * Writes the lines up to now without delay. Resolves once that is done, or as soon as the destination
   * has accepted nothing for 100 ms: what waits for a line must not wait for a reader.
   */
  written(): Promise<void>;
}

/** A stream of bytes. */
interface ByteStream {
  write(bytes: Uint8Array): Promise<number>;
  /** Writes as many of the bytes as are accepted without waiting, and returns their number. */
  writeNow?(bytes: Uint8Array): number;
}

/**
 * Lines on stderr, or on another stream. What stderr does not accept at once is written in the
 * background, because a pipe that nobody reads would otherwise block the whole server once it is full.
 * Lines beyond the buffer are dropped, and a line says how many; a closed stream does not stop the
 * server.
 */
export function stderrSink(stream: ByteStream = new PromptStderr()): PromptSink {
  let dropped = 0;
  return new BackgroundLines({
    async write(lines) {
      try {
        await writeAll(stream, lines.join(""));
      } catch {
        // There is nowhere else to report it.
      }
      if (dropped === 0) return undefined;
      const notice = `{"level":"warn","message":"${dropped} lines dropped"}\n`;
      dropped = 0;
      return notice;
    },
    onOverflow: () => void dropped++,
  });
}

async function writeAll(stream: ByteStream, text: string): Promise<void> {
  const bytes = encoder.encode(text);
  let at = stream.writeNow?.(bytes) ?? 0;
  while (at < bytes.length) at += await stream.write(bytes.subarray(at));
}

const STDERR = 2;
/** The write by which stderr is looked at: the start and the first calls of a server don't wait for that. */
const LOOK_AT = 20;

/**
 * The server's stderr. A write in the background takes a thread, and 20 times as long as the write
 * itself: most of what a small call costs would be the lines of its audit.
 */
class PromptStderr implements ByteStream {
  writeNow: ByteStream["writeNow"];
  #writes = 0;

  async write(bytes: Uint8Array): Promise<number> {
    if (++this.#writes === LOOK_AT) this.writeNow = await openPromptly();
    return await Deno.stderr.write(bytes);
  }
}

/**
 * Finds a way to write to stderr that waits for no reader. A regular file and the null device have none.
 * A pipe is opened once more, because `O_NONBLOCK` would else count for all who share it. There is no
 * way for a terminal or a socket, or without the permission to open it.
 */
async function openPromptly(): Promise<ByteStream["writeNow"]> {
  try {
    const { constants, fstatSync, openSync, writeSync } = await import("node:fs");
    const stats = fstatSync(STDERR);
    const isNull = stats.isCharacterDevice() && !Deno.stderr.isTerminal();
    if (stats.isFile() || isNull) return (bytes) => Deno.stderr.writeSync(bytes);
    if (!stats.isFIFO()) return undefined;
    const pipe = openSync(`/proc/self/fd/${STDERR}`, constants.O_WRONLY | constants.O_NONBLOCK);
    return (bytes) => writePieces(bytes, (piece) => writeSync(pipe, piece));
  } catch {
    return undefined;
  }
}

/** What a pipe takes whole or not at all (POSIX, `PIPE_BUF` of Linux). */
const PIECE_BYTES = 4_096;

/** Writes pieces until one is rejected; returns how many bytes were written. */
function writePieces(bytes: Uint8Array, write: (piece: Uint8Array) => void): number {
  let at = 0;
  try {
    while (at < bytes.length) {
      const end = Math.min(at + PIECE_BYTES, bytes.length);
      write(bytes.subarray(at, end));
      at = end;
    }
  } catch {
    // It is full, or closed, which the next write in the background reports.
  }
  return at;
}

/** How long a destination may take to accept lines before nothing waits for it. */
const PATIENCE_MS = 100;

/** Characters that may wait to be written; further lines are dropped. */
const MOST_WAITING = 1024 * 1024;

/** Where a {@linkcode BackgroundLines} writes, and what happens to dropped lines. */
interface LineTarget {
  /** Writes lines; never rejects. Resolves with a further line to write, if there is one to add. */
  write(lines: readonly string[]): Promise<string | undefined>;
  /** Called with a line that is dropped because earlier lines still wait to be written. */
  onOverflow(line: string): void;
}

/**
 * Writes lines in order, in batches, without blocking the caller: a batch is what arrived while the
 * previous batch was written. At most 1 MiB (1,048,576 characters) waits.
 */
export class BackgroundLines {
  readonly #target: LineTarget;
  readonly #delayMs: number;
  #waiting: string[] = [];
  #length = 0;
  #writing: Promise<void> | undefined;
  #startNow: (() => void) | undefined;
  /** Those who wait until the lines are written that wait now. */
  #batch: PromiseWithResolvers<void> | undefined;
  /** Whether the target takes so long that nobody waits for it. */
  #isStalled = false;

  constructor(target: LineTarget, options: { readonly delayMs?: number } = {}) {
    const { delayMs = 0 } = options;
    this.#target = target;
    this.#delayMs = delayMs;
  }

  /** Writes a line in the background. Never throws. */
  write(line: string): void {
    if (this.#length + line.length > MOST_WAITING) return this.#target.onOverflow(line);
    this.#waiting.push(line);
    this.#length += line.length;
    this.#writing ??= this.#writeAll();
  }

  /** Writes the waiting lines without delay; see {@linkcode PromptSink}. */
  async written(): Promise<void> {
    if (this.#isStalled || this.#waiting.length === 0) return;
    this.#startNow?.();
    this.#batch ??= Promise.withResolvers();
    await this.#batch.promise;
  }

  /** Resolves when all lines are written. */
  async flush(): Promise<void> {
    this.#startNow?.();
    await this.#writing;
  }

  /** Discards the waiting lines and returns them. */
  takeWaiting(): readonly string[] {
    const lines = this.#waiting;
    this.#waiting = [];
    this.#length = 0;
    return lines;
  }

  async #writeAll(): Promise<void> {
    await this.#delay();
    while (this.#waiting.length > 0) {
      const addition = await this.#writeBatch();
      if (addition === undefined) continue;
      this.#waiting.push(addition);
      this.#length += addition.length;
    }
    this.#writing = undefined;
  }

  async #writeBatch(): Promise<string | undefined> {
    const batch = this.#batch;
    this.#batch = undefined;
    const giveUp = () => {
      this.#isStalled = true;
      batch?.resolve();
      this.#batch?.resolve();
    };
    using _patience = firstOf({ timeoutMs: PATIENCE_MS }, giveUp);
    const addition = await this.#target.write(this.takeWaiting());
    this.#isStalled = false;
    batch?.resolve();
    return addition;
  }

  async #delay(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#delayMs === 0) return await Promise.resolve();
    const timer = setTimeout(resolve, this.#delayMs);
    this.#startNow = resolve;
    await promise;
    clearTimeout(timer);
    this.#startNow = undefined;
  }
}

/** What JSON leaves as it is, and a terminal or a reader of lines may act on: C1 and line ends. */
const CONTROLS = /[\u007f-\u009f\u2028\u2029]/g;

/** A line of a log or of the audit, with its line end: JSON without any control character. */
export function toJsonLine(json: string): string {
  return `${json.replaceAll(CONTROLS, escapeCharacter)}\n`;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
