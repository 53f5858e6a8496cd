import { jsonByteLength, jsonTextLength, withoutCutEnd, withoutCutStart } from "./json.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The kept part of an output, as text. */
interface CapturedText {
  readonly text: string;
  /** Whether a line in it says how many bytes are left out. */
  readonly truncated: boolean;
}

/** The line between head and tail, with the line feed that may precede it, as JSON text. */
const NOTE_LENGTH = 48;

/**
 * Keeps an output stream within a number of bytes, however long it is: the first quarter of them
 * and the last three quarters. Memory grows with the output, up to the cap and no further.
 *
 * @example
 * ```ts ignore
 * const capture = new OutputCapture(8);
 * capture.push(new TextEncoder().encode("0123456789"));
 * capture.text(); // "01\n[... 2 bytes left out ...]\n456789"
 * ```
 */
export class OutputCapture {
  readonly #limit: number;
  readonly #headSize: number;
  /** The head, then a ring buffer with the tail; if nothing is left out, simply the output. */
  #bytes = new Uint8Array(0);
  #total = 0;

  constructor(limit: number) {
    this.#limit = Math.max(0, Math.floor(limit));
    this.#headSize = Math.floor(this.#limit / 4);
  }

  /** Whether the output was longer than the cap. */
  get truncated(): boolean {
    return this.#total > this.#limit;
  }

  /** Takes the next piece of the stream; the piece is copied, so its buffer may be used again. */
  push(chunk: Uint8Array): void {
    this.#reserve(Math.min(this.#total + chunk.length, this.#limit));
    const room = Math.max(0, Math.min(this.#limit - this.#total, chunk.length));
    if (room > 0) this.#bytes.set(chunk.subarray(0, room), this.#total);
    this.#total += room;
    if (room < chunk.length) this.#pushToRing(chunk.subarray(room));
  }

  /**
   * The output as text: whole characters at the cut, with a line between head and tail that says
   * how many bytes are left out; bytes that are not UTF-8 become U+FFFD.
   */
  text(): string {
    if (this.#total === 0) return "";
    if (!this.truncated) return decoder.decode(this.#bytes.subarray(0, this.#total));
    return this.#join(this.#bytes.subarray(0, this.#headSize), this.#tail());
  }

  /**
   * The output as text that takes at most `most` characters as JSON: control characters take six
   * each. If it takes more, head and tail are shortened in the same proportion.
   */
  fit(most: number): CapturedText {
    if (this.jsonLength <= most) return { text: this.text(), truncated: this.truncated };
    const room = Math.max(0, most - NOTE_LENGTH);
    const kept = this.#kept;
    const first = this.truncated ? kept.subarray(0, this.#headSize) : kept;
    const last = this.truncated ? this.#tail() : kept;
    return {
      text: this.#join(startOf(first, Math.floor(room / 4)), endOf(last, Math.ceil(room / 4 * 3))),
      truncated: true,
    };
  }

  /** What the text takes as JSON, without its quotes; a byte of a longer character counts as one. */
  get jsonLength(): number {
    let length = this.truncated ? NOTE_LENGTH : 0;
    for (const byte of this.#kept) length += jsonByteLength(byte);
    return length;
  }

  get #kept(): Uint8Array {
    return this.#bytes.subarray(0, Math.min(this.#total, this.#limit));
  }

  #join(first: Uint8Array, last: Uint8Array): string {
    const head = withoutCutEnd(first);
    const tail = withoutCutStart(last);
    const leftOut = this.#total - head.length - tail.length;
    return `${endLine(decoder.decode(head))}[... ${leftOut} bytes left out ...]\n${
      decoder.decode(tail)
    }`;
  }

  #reserve(size: number): void {
    if (size <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.min(this.#limit, Math.max(size, 2 * this.#bytes.length)));
    grown.set(this.#bytes.subarray(0, this.#total));
    this.#bytes = grown;
  }

  #pushToRing(chunk: Uint8Array): void {
    const ring = this.#bytes.subarray(this.#headSize, this.#limit);
    if (ring.length > 0) {
      const kept = chunk.subarray(Math.max(0, chunk.length - ring.length));
      const at = (this.#total + chunk.length - kept.length - this.#headSize) % ring.length;
      const untilEnd = kept.subarray(0, ring.length - at);
      ring.set(untilEnd, at);
      ring.set(kept.subarray(untilEnd.length));
    }
    this.#total += chunk.length;
  }

  #tail(): Uint8Array {
    const ring = this.#bytes.subarray(this.#headSize, this.#limit);
    const at = ring.length === 0 ? 0 : (this.#total - this.#headSize) % ring.length;
    const tail = new Uint8Array(ring.length);
    tail.set(ring.subarray(at));
    tail.set(ring.subarray(0, at), ring.length - at);
    return tail;
  }
}

/** The bytes from the start that take `most` characters as JSON text. */
function startOf(bytes: Uint8Array, most: number): Uint8Array {
  let end = 0;
  for (let left = most; end < bytes.length; end++) {
    left -= jsonByteLength(bytes[end] ?? 0);
    if (left < 0) break;
  }
  return bytes.subarray(0, end);
}

/** The bytes up to the end that take `most` characters as JSON text. */
function endOf(bytes: Uint8Array, most: number): Uint8Array {
  let start = bytes.length;
  for (let left = most; start > 0; start--) {
    left -= jsonByteLength(bytes[start - 1] ?? 0);
    if (left < 0) break;
  }
  return bytes.subarray(start);
}

/** Both outputs of a command, as text that takes at most `most` characters as JSON. */
export function fitOutputs(
  { stdout, stderr }: { readonly stdout: OutputCapture; readonly stderr: OutputCapture },
  most: number,
): { readonly stdout: string; readonly stderr: string; readonly truncated: boolean } {
  const half = Math.floor(most / 2);
  const err = stderr.fit(Math.max(half, most - stdout.jsonLength));
  const out = stdout.fit(most - jsonTextLength(err.text));
  return { stdout: out.text, stderr: err.text, truncated: out.truncated || err.truncated };
}

function endLine(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
