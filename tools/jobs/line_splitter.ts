import { Buffer } from "node:buffer";
import { withoutCutEnd } from "@trestle/mcp-server/toolkit";
import type { Piece } from "./find_in_output.ts";

/** A line of output. */
export interface OutputLine {
  /** Offset of its first byte. */
  readonly offset: number;
  /** Its text; bytes that are not UTF-8 are U+FFFD. */
  readonly text: string;
  /** Offset after it and its line feed. */
  readonly end: number;
}

/** A longer line counts as several. */
const MOST_LINE_BYTES = 4096;
const LINE_FEED = 10;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Splits a stream of bytes that comes in pieces into lines of bounded length. */
export class LineSplitter {
  #rest: Uint8Array = new Uint8Array(0);
  #offset = 0;

  /** Takes the next piece; returns the lines that are complete. Missing bytes end a line, too. */
  *push({ offset, bytes }: Piece): Generator<OutputLine, void> {
    if (offset !== this.#offset + this.#rest.length) {
      yield* this.rest();
      this.#offset = offset;
    }
    const all = Buffer.concat([this.#rest, bytes]);
    const first = this.#offset;
    let start = 0;
    for (;;) {
      const feed = all.indexOf(LINE_FEED, start);
      const end = feed === -1 ? all.length : feed;
      const isLong = end - start > MOST_LINE_BYTES;
      if (feed === -1 && !isLong) break;
      const line = isLong
        ? withoutCutEnd(all.subarray(start, start + MOST_LINE_BYTES))
        : all.subarray(start, end);
      const next = start + line.length + (isLong ? 0 : 1);
      yield { offset: first + start, text: toText(line), end: first + next };
      start = next;
    }
    this.#rest = all.subarray(start);
    this.#offset = first + start;
  }

  /** The line that is not complete, if there is one. */
  *rest(): Generator<OutputLine, void> {
    const bytes = this.#rest;
    if (bytes.length === 0) return;
    this.#rest = new Uint8Array(0);
    const offset = this.#offset;
    yield { offset, text: toText(bytes), end: this.#offset = offset + bytes.length };
  }
}

function toText(line: Uint8Array): string {
  const text = decoder.decode(line);
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}
