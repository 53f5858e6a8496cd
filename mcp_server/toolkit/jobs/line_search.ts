import { jsonTextLength } from "../../shared/json.ts";
import { takeTurn } from "../../shared/concurrency.ts";
import type { OutputLine } from "./line_splitter.ts";

/** What a search looks for, and what bounds it. */
export interface LineSearchOptions {
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
export interface FoundLine {
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

  /** Takes what to look for. */
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
export async function inSearchTurn<T>(work: () => T, signal: AbortSignal): Promise<T> {
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
