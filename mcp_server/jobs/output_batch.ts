import type { OutputStream } from "../tool/command.ts";
import type { MarkedPlace, OutputPiece, OutputPlace } from "./job_store.ts";

/**
 * How many switches between the streams are stored of a run: each of the first ones, and then one for
 * so many bytes.
 */
const SWITCHES = { each: 2_000, most: 10_000, bytes: 256 * 1024 };
/**
 * How far apart the times of output are that are stored, in milliseconds and as a share of the time
 * since the start: so a day takes some 3,000 of them.
 */
const TIMES = { leastMs: 1_000, share: 1 / 500 };

/** Where one stream goes on after the other one, and when the output after a place came. */
export class SwitchLog {
  #last: OutputStream | undefined;
  #places: MarkedPlace[] = [];
  #count = 0;
  #lastBytes = 0;
  #startedAt = Date.now();
  #lastAt = this.#startedAt;

  /** Says when the run began: output of the first second has no time of its own. */
  begin(startedAt: number): void {
    this.#startedAt = startedAt;
    this.#lastAt = startedAt;
  }

  /** Takes the stream of the next piece, the place before it, and when it came. */
  take(stream: OutputStream, place: OutputPlace, at: number = Date.now()): void {
    const isKept = this.#isKeptSwitch(stream, place);
    const pause = Math.max(TIMES.leastMs, (at - this.#startedAt) * TIMES.share);
    if (!isKept && at - this.#lastAt < pause) return;
    this.#lastAt = at;
    this.#places.push({ ...place, at });
  }

  #isKeptSwitch(stream: OutputStream, place: OutputPlace): boolean {
    const isSwitch = this.#last !== undefined && this.#last !== stream;
    this.#last = stream;
    const bytes = place.stdout + place.stderr;
    const isRare = bytes - this.#lastBytes >= SWITCHES.bytes && this.#count < SWITCHES.most;
    if (!isSwitch || !(this.#count < SWITCHES.each || isRare)) return false;
    this.#count++;
    this.#lastBytes = bytes;
    return true;
  }

  /** Returns those that are not stored yet. */
  release(): MarkedPlace[] {
    const places = this.#places;
    this.#places = [];
    return places;
  }
}

/** The bytes of one stream that are not written yet. */
export class StreamBatch {
  readonly #stream: OutputStream;
  #offset = 0;
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(stream: OutputStream) {
    this.#stream = stream;
  }

  get size(): number {
    return this.#size;
  }

  /** How many bytes were pushed in all. */
  get length(): number {
    return this.#offset + this.#size;
  }

  push(bytes: Uint8Array): void {
    this.#parts.push(bytes.slice());
    this.#size += bytes.length;
  }

  take(): OutputPiece[] {
    const [first = new Uint8Array(0)] = this.#parts;
    const bytes = this.#parts.length > 1 ? new Uint8Array(this.#size) : first;
    if (bytes !== first) {
      let at = 0;
      for (const part of this.#parts) {
        bytes.set(part, at);
        at += part.length;
      }
    }
    const offset = this.#offset;
    this.#offset += this.#size;
    this.#parts = [];
    this.#size = 0;
    return bytes.length === 0 ? [] : [{ stream: this.#stream, offset, bytes }];
  }
}
