import type { OutputStream } from "../tool/command.ts";
import type { OutputPiece, OutputPlace } from "./job_store.ts";

/**
 * How many switches between the streams are stored of a run: each of the first ones, and then one for
 * so many bytes.
 */
const SWITCHES = { each: 2_000, most: 10_000, bytes: 256 * 1024 };

/** Where one stream goes on after the other one. */
export class SwitchLog {
  #last: OutputStream | undefined;
  #places: OutputPlace[] = [];
  #count = 0;
  #lastBytes = 0;

  /** Takes the stream of the next piece, and the place before it. */
  take(stream: OutputStream, place: OutputPlace): void {
    const isSwitch = this.#last !== undefined && this.#last !== stream;
    this.#last = stream;
    const bytes = place.stdout + place.stderr;
    const isRare = bytes - this.#lastBytes >= SWITCHES.bytes && this.#count < SWITCHES.most;
    if (!isSwitch || !(this.#count < SWITCHES.each || isRare)) return;
    this.#count++;
    this.#lastBytes = bytes;
    this.#places.push(place);
  }

  /** Returns those that are not stored yet. */
  release(): OutputPlace[] {
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
