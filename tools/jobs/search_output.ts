import { Buffer } from "node:buffer";
import {
  type JobService,
  jsonTextLength,
  loadLinePatterns,
  type OutputGap,
  type OutputPart,
  type OutputStream,
  takeTurn,
  withoutCutEnd,
} from "@trestle/mcp-server/toolkit";
import { keptOutput } from "./read_output.ts";

/** What is searched, and how much is found at once. */
interface JobSearchRequest {
  /** Which stream. */
  readonly stream: OutputStream;
  /** A regular expression in the syntax of RE2, of at most 3,000 instructions: linear time. */
  readonly pattern: string;
  /** Where the search begins; a negative offset counts from the end. */
  readonly offset: number;
  /** Only lines that begin within so many bytes. @default {all} */
  readonly limit?: number | undefined;
  /** Most characters that the lines found take as JSON text; one line is found in any case. */
  readonly maxText: number;
  /** Ends the search with a rejection. */
  readonly signal: AbortSignal;
}

/** The lines of a job's output that match. */
interface JobMatches {
  /** Each with the offset of its first byte; a line of more than 4 KiB counts as several. */
  readonly matches: FoundLine[];
  /** The offset to continue at. */
  readonly nextOffset: number;
  /** The length of the stream so far. */
  readonly end: number;
  /** Bytes within what was searched that are not kept. */
  readonly gap?: OutputGap;
}

/**
 * Searches the kept output of a job line by line. Stops early after 100 lines, after `maxText`
 * characters, and after 5 s. Rejects with a `ToolError` for a wrong pattern, and as
 * `JobService.read()` does.
 */
export async function searchJobOutput(
  jobs: JobService,
  id: string,
  { stream, pattern, offset, limit = Infinity, maxText, signal }: JobSearchRequest,
): Promise<JobMatches> {
  const compilePattern = await loadLinePatterns();
  const regex = await inSearchTurn(() => compilePattern(pattern), signal);
  const isMatch = (line: string) => regex.test(line);
  const search = new LineSearch({ isMatch, limit, maxText, signal });
  const splitter = new LineSplitter();
  let last: OutputPart | undefined;
  let gap = {};
  for await (const part of keptOutput(jobs, id, { stream, offset })) {
    gap = { ...gap, ...gapBetween(last, part) };
    last = part;
    const unread = await search.search(splitter.push(part));
    if (unread !== undefined) return toMatches(search, unread.offset, { part, gap });
  }
  if (last === undefined) throw new TypeError(`Cannot search the job "${id}": nothing was read`);
  const nextOffset = await searchRest(search, splitter, last);
  return toMatches(search, nextOffset, { part: last, gap });
}

/** Searches the last line; one that may still grow is searched again, unless it was found. */
async function searchRest(
  search: LineSearch,
  splitter: LineSplitter,
  { offset, bytes, ended }: OutputPart,
): Promise<number> {
  const [line] = splitter.rest();
  if (line === undefined) return offset + bytes.length;
  const found = search.matches.length;
  const unread = await search.search([line]);
  const isDone = unread === undefined && (ended || search.matches.length > found);
  return isDone ? line.end : line.offset;
}

function gapBetween(before: OutputPart | undefined, { offset }: OutputPart): { gap?: OutputGap } {
  const from = before === undefined ? offset : before.offset + before.bytes.length;
  return from === offset ? {} : { gap: { from, to: offset } };
}

function toMatches(
  { matches }: LineSearch,
  nextOffset: number,
  { part, gap }: { part: OutputPart; gap: { gap?: OutputGap } },
): JobMatches {
  return { matches, nextOffset, end: part.range.end, ...gap };
}

/** What a search looks for, and what bounds it. */
interface LineSearchOptions {
  /** Whether a line is to be found. */
  readonly isMatch: (line: string) => boolean;
  /** Lines that begin so many bytes after the first one, or later, are not searched. */
  readonly limit: number;
  /** Most characters that the lines found take as JSON text; one line is found in any case. */
  readonly maxText: number;
  /** Ends the search with a rejection. */
  readonly signal: AbortSignal;
}

/** A line that was found. */
interface FoundLine {
  /** Offset of its first byte. */
  offset: number;
  /** Its text, without the line feed. */
  line: string;
}

const MOST_MATCHES = 100;
/** How long one search takes at most. */
const MOST_MS = 5_000;
/** Other calls go on after so long. */
const TURN_MS = 20;
/** Searches that take less in all may come one after another before other calls go on. */
const SHORT_MS = 1;

/** Finds lines until there are too many, they are too long, or the time is over. */
export class LineSearch {
  readonly matches: FoundLine[] = [];
  readonly #options: LineSearchOptions;
  readonly #deadline = performance.now() + MOST_MS;
  #hasBegun = false;
  #left: number;
  #stopAt: number | undefined;

  constructor(options: LineSearchOptions) {
    this.#options = options;
    this.#left = options.maxText;
  }

  /** Searches lines; resolves with the first one that was not searched, or `undefined`. */
  async search(lines: Iterable<OutputLine>): Promise<OutputLine | undefined> {
    const left = lines[Symbol.iterator]();
    for (;;) {
      const { isOver, unread } = await inSearchTurn(
        () => this.#searchFor(TURN_MS, left),
        this.#options.signal,
      );
      if (isOver) return unread;
    }
  }

  #searchFor(ms: number, lines: Iterator<OutputLine>): { isOver: boolean; unread?: OutputLine } {
    const { isMatch, limit } = this.#options;
    const until = performance.now() + ms;
    while (performance.now() < until) {
      const { done = false, value: line } = lines.next();
      if (done) return { isOver: true };
      const stopAt = this.#stopAt ??= line.offset + limit;
      // However long it waited for its turn, it searches a line.
      const isLate = this.#hasBegun && performance.now() > this.#deadline;
      if (line.offset >= stopAt || isLate) return { isOver: true, unread: line };
      this.#hasBegun = true;
      if (isMatch(line.text) && !this.#add(line)) return { isOver: true, unread: line };
    }
    return { isOver: false };
  }

  #add({ offset, text }: OutputLine): boolean {
    this.#left -= jsonTextLength(text);
    const isFull = this.matches.length === MOST_MATCHES || this.#left < 0;
    if (isFull && this.matches.length > 0) return false;
    this.matches.push({ offset, line: text });
    return true;
  }
}

/**
 * Does a part of a search that holds up everything else; after one that takes long, other calls go on
 * before the next part of any search.
 */
async function inSearchTurn<T>(work: () => T, signal: AbortSignal): Promise<T> {
  return await takeTurn("search of output", async () => {
    const start = performance.now();
    try {
      return work();
    } finally {
      if (performance.now() - start > SHORT_MS) {
        await new Promise((resolve) => setTimeout(resolve));
        signal.throwIfAborted();
      }
    }
  }, { signal });
}

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
  *push({ offset, bytes }: Pick<OutputPart, "offset" | "bytes">): Generator<OutputLine, void> {
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
