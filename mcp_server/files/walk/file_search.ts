import { Buffer } from "node:buffer";
import { closeSync, readSync } from "node:fs";
import { jsonTextLength, withoutCutEnd } from "../../shared/json.ts";
import type { LinePattern } from "../../shared/line_pattern.ts";
import { openRegular } from "./folder_walk.ts";

/** A line that was found. */
export interface LineMatch {
  /** The path of the file below the folder; its name if only one file was searched. */
  readonly path: string;
  /** Its number, counted from 1. */
  readonly line: number;
  /** The line without its end; of a longer one 400 characters around the match, with `…`. */
  readonly text: string;
  /** Lines before it that are not in the answer yet. */
  readonly before?: string[];
  /** Lines after it, up to the next match. */
  readonly after?: string[];
}

/** What bounds the lines that are found. */
export interface MatchBounds {
  /** How many lines around a match are wanted. */
  readonly context: number;
  /** Most matches. */
  readonly limit: number;
  /** Most characters that the matches take as JSON text; one is found in any case. */
  readonly maxText: number;
}

/** A match whose lines after it are still to come. */
type OpenMatch = LineMatch & { before?: string[]; after?: string[] };

/** The keys of a match as JSON text, and the quotes of a line. */
const [KEYS, QUOTES] = [80, 3];

/** Collects the matches of one file after the other. */
export class MatchCollector {
  readonly matches: LineMatch[] = [];
  /** Whether there are more than fit. */
  isTruncated = false;
  readonly #bounds: MatchBounds;
  #left: number;

  constructor(bounds: MatchBounds) {
    this.#bounds = bounds;
    this.#left = bounds.maxText;
  }

  /** How many lines around a match are wanted. */
  get context(): number {
    return this.#bounds.context;
  }

  /** Begins a file, whose matches count once it has ended as a text. */
  begin(path: string): FileMatches {
    return new FileMatches(path, {
      ...this.#bounds,
      limit: this.#bounds.limit - this.matches.length,
      maxText: this.#left,
      isFirst: this.matches.length === 0,
    });
  }

  /** Takes the matches of a file. */
  add(file: FileMatches): void {
    this.matches.push(...file.matches);
    this.#left = file.left;
    this.isTruncated = file.isFull;
  }
}

/** The matches of a file, and the lines around them, each of which is in the answer once. */
class FileMatches {
  readonly matches: OpenMatch[] = [];
  readonly #path: string;
  readonly #bounds: MatchBounds & { readonly isFirst: boolean };
  readonly #before: string[] = [];
  #after = 0;
  /** How much text still fits. */
  left: number;
  /** Whether a match did not fit; no further line counts then. */
  isFull = false;

  constructor(path: string, bounds: MatchBounds & { readonly isFirst: boolean }) {
    this.#path = path;
    this.#bounds = bounds;
    this.left = bounds.maxText;
  }

  /** Takes a line, or a part of one, that matches. */
  found(text: string, line: number, pattern: LinePattern): void {
    if (this.matches.at(-1)?.line === line) return;
    const { context, limit, isFirst } = this.#bounds;
    const shown = cutAround(text, () => pattern.search(text));
    const cost = costOf(this.#path) + costOf(shown) + KEYS;
    const mayTakeAnyway = isFirst && this.matches.length === 0;
    if (this.matches.length === limit || cost > this.left && !mayTakeAnyway) {
      this.isFull = true;
      return;
    }
    this.left -= cost;
    const before = this.#takeBefore();
    this.matches.push({
      path: this.#path,
      line,
      text: shown,
      ...(before.length === 0 ? {} : { before }),
    });
    this.#after = context;
  }

  /** Takes a line that does not match. */
  passed(text: string): void {
    const { context } = this.#bounds;
    if (context === 0) return;
    const shown = cutAround(text, () => 0);
    const last = this.matches.at(-1);
    if (this.#after > 0 && last !== undefined) {
      this.#after--;
      if (this.#take(shown)) (last.after ??= []).push(shown);
      else this.#after = 0;
      return;
    }
    this.#before.push(shown);
    if (this.#before.length > context) this.#before.shift();
  }

  #takeBefore(): string[] {
    const before: string[] = [];
    for (const line of this.#before.splice(0).reverse()) {
      if (!this.#take(line)) break;
      before.unshift(line);
    }
    return before;
  }

  #take(line: string): boolean {
    const cost = costOf(line);
    if (cost > this.left) return false;
    this.left -= cost;
    return true;
  }
}

function costOf(text: string): number {
  return jsonTextLength(text) + QUOTES;
}

/** Most characters of a line that are shown, and how many of them are before the match. */
const [MOST_SHOWN, LEAD] = [400, 100];

function cutAround(text: string, index: () => number): string {
  if (text.length <= MOST_SHOWN) return text;
  const from = Math.max(0, Math.min(index() - LEAD, text.length - MOST_SHOWN));
  const start = isLowHalf(text, from) ? from + 1 : from;
  const to = from + MOST_SHOWN;
  const end = isLowHalf(text, to) ? to - 1 : to;
  return (start > 0 ? "…" : "") + text.slice(start, end) + (end < text.length ? "…" : "");
}

function isLowHalf(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff;
}

/** How a file is searched. */
interface FileSearch {
  readonly path: string;
  readonly pattern: LinePattern;
  readonly collector: MatchCollector;
}

/** A search may pause after so many characters. */
const PAUSE = 16 * 1024;

/**
 * Searches a regular file in pieces, and pauses in between. Returns whether it was searched: it is not
 * if it can't be read, or contains a NUL. A line over 256 KiB is searched in parts.
 */
export function* searchFile(
  at: string,
  { path, pattern, collector }: FileSearch,
): Generator<void, boolean> {
  const file = openRegular(at);
  if (file === undefined) return false;
  try {
    const matches = collector.begin(path);
    let scanned = 0;
    const { context } = collector;
    for (const read of linesOf(file, context === 0 ? pattern.literal : undefined)) {
      if (read === SKIPPED) {
        yield;
        continue;
      }
      const { text, line } = read;
      if (text === undefined) return false;
      scanned += text.length + 1;
      if (scanned > PAUSE) {
        scanned = 0;
        yield;
      }
      if (pattern.test(text)) matches.found(text, line, pattern);
      else matches.passed(text);
      if (matches.isFull) break;
    }
    if (matches.isFull && (yield* hasNul(file))) return false;
    collector.add(matches);
    return true;
  } catch {
    return false;
  } finally {
    closeSync(file);
  }
}

const PIECE_BYTES = 256 * 1024;
/** What was read last, behind the rest of what was before; only until it is decoded. */
const buffer = new Uint8Array(2 * PIECE_BYTES);
const LINE_FEED = 10;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A line, or a part of a long one; without text, a NUL was met, and there are no more. */
interface NumberedLine {
  readonly text: string | undefined;
  readonly line: number;
}

/** Lines that can't match, because they lack a text. */
const SKIPPED = "skipped";

function* linesOf(
  file: number,
  literal = "",
): Generator<NumberedLine | typeof SKIPPED, void> {
  let rest: Uint8Array = new Uint8Array(0);
  let line = 1;
  for (;;) {
    buffer.set(rest);
    const count = readSync(file, buffer, rest.length, PIECE_BYTES, null);
    if (count === 0) break;
    const all = buffer.subarray(0, rest.length + count);
    if (all.includes(0)) return yield { text: undefined, line };
    const end = all.lastIndexOf(LINE_FEED);
    const isLong = end === -1 && all.length >= PIECE_BYTES;
    const whole = isLong ? withoutCutEnd(all) : all.subarray(0, end + 1);
    rest = all.slice(whole.length);
    if (isLong) yield { text: withoutReturn(decoder.decode(whole)), line };
    else if (!mayHave(whole, literal)) {
      line += countLines(whole);
      yield SKIPPED;
    } else {
      for (const each of decoder.decode(whole).split("\n").slice(0, -1)) {
        yield { text: withoutReturn(each), line: line++ };
      }
    }
  }
  if (rest.length > 0) yield { text: withoutReturn(decoder.decode(rest)), line };
}

/** Whether bytes contain an ASCII text; decoding them as UTF-8 takes twice as long as reading them. */
function mayHave({ buffer, byteOffset, length }: Uint8Array, literal: string): boolean {
  return literal === "" ||
    Buffer.from(buffer, byteOffset, length).toString("latin1").includes(literal);
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}

function withoutReturn(text: string): string {
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}

/** Whether there is a NUL in what was not read yet. */
function* hasNul(file: number): Generator<void, boolean> {
  for (
    let count = readSync(file, buffer, 0, PIECE_BYTES, null);
    count > 0;
    count = readSync(file, buffer, 0, PIECE_BYTES, null)
  ) {
    if (buffer.subarray(0, count).includes(0)) return true;
    yield;
  }
  return false;
}
