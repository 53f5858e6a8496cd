const encoder = new TextEncoder();

/** Lines that wait are written at the latest when they are this many characters. */
const MOST_WAITING = 64 * 1024;
/** Bytes that a UTF-16 code unit takes at most in UTF-8. */
const MOST_BYTES = 3;

/** The longest that a line waits for others. */
const LONGEST_WAIT_MS = 5;

/** Where whole lines go. */
export interface LineSink {
  /** Writes a line at once, after those that wait. Never throws. */
  write(line: string): void;
  /** Writes a line together with others, a few milliseconds later. Never throws. */
  writeSoon(line: string): void;
  /** Writes the lines that wait; resolves when they are written. */
  flush(): void | Promise<void>;
}

/** Characters that may wait for a reader of stderr; lines on top of them are dropped. */
const MOST_UNREAD = 1024 * 1024;

/**
 * Lines on stderr, or on another stream. They are written in the background, because a pipe that
 * nobody reads would otherwise hold up the whole server once it is full. Lines that find no room are
 * dropped, and a line says how many; a stream that is closed is no reason to stop serving.
 */
export function stderrSink(
  stream: { write(bytes: Uint8Array): Promise<number> } = Deno.stderr,
): LineSink {
  let waiting: string[] = [];
  let length = 0;
  let dropped = 0;
  let writing: Promise<void> | undefined;
  const writeAll = async () => {
    while (waiting.length > 0) {
      const bytes = encoder.encode(waiting.join(""));
      waiting = [];
      length = 0;
      try {
        for (let at = 0; at < bytes.length;) at += await stream.write(bytes.subarray(at));
      } catch {
        // There is no other place to tell it.
      }
      if (dropped > 0) waiting.push(`{"level":"warn","message":"${dropped} lines dropped"}\n`);
      dropped = 0;
    }
    writing = undefined;
  };
  const write = (line: string) => {
    if (length + line.length > MOST_UNREAD) return void dropped++;
    waiting.push(line);
    length += line.length;
    writing ??= Promise.resolve().then(writeAll);
  };
  return { write, writeSoon: write, flush: () => writing };
}

/**
 * Lines appended to a file, for its owner's eyes only (mode 0600). Throws where it can't be opened;
 * lines that can't be written later go to `fallback`.
 */
export function fileSink(path: string, fallback: LineSink): LineSink {
  const file = Deno.openSync(path, { append: true, create: true, mode: 0o600 });
  if ((file.statSync().mode ?? 0) & 0o077) Deno.chmodSync(path, 0o600);
  return new BufferedSink(file, (text) => fallback.write(text));
}

class BufferedSink implements LineSink {
  readonly #sink: { writeSync(bytes: Uint8Array): number };
  readonly #onFailure: (text: string) => void;
  readonly #bytes = new Uint8Array(MOST_WAITING * MOST_BYTES);
  #waiting: string[] = [];
  #length = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    sink: { writeSync(bytes: Uint8Array): number },
    onFailure: (text: string) => void,
  ) {
    this.#sink = sink;
    this.#onFailure = onFailure;
  }

  write(line: string): void {
    this.flush();
    this.#writeNow(encoder.encode(line));
  }

  writeSoon(line: string): void {
    if (line.length > MOST_WAITING - this.#length) this.flush();
    if (line.length > MOST_WAITING) return this.write(line);
    this.#waiting.push(line);
    this.#length += line.length;
    this.#timer ??= setTimeout(() => this.flush(), LONGEST_WAIT_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#length === 0) return;
    const { written } = encoder.encodeInto(this.#waiting.join(""), this.#bytes);
    this.#waiting = [];
    this.#length = 0;
    this.#writeNow(this.#bytes.subarray(0, written));
  }

  #writeNow(bytes: Uint8Array): void {
    let at = 0;
    try {
      while (at < bytes.length) at += this.#sink.writeSync(bytes.subarray(at));
    } catch {
      this.#onFailure(new TextDecoder().decode(bytes.subarray(at)));
    }
  }
}
