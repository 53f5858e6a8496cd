import { jsonTextLength } from "../../domain/json.ts";
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

/** Finds lines until there are too many, they are too long, or the time is over. */
export class LineSearch {
  readonly matches: FoundLine[] = [];
  readonly #options: LineSearchOptions;
  readonly #deadline = performance.now() + MOST_MS;
  #turnEnd = performance.now() + TURN_MS;
  #left: number;
  #stopAt: number | undefined;

  /** Takes what to look for. */
  constructor(options: LineSearchOptions) {
    this.#options = options;
    this.#left = options.maxText;
  }

  /** Searches lines; resolves with the first one that was not searched, or `undefined`. */
  async search(lines: Iterable<OutputLine>): Promise<OutputLine | undefined> {
    const { isMatch, limit, signal } = this.#options;
    for (const line of lines) {
      const stopAt = this.#stopAt ??= line.offset + limit;
      if (line.offset >= stopAt || performance.now() > this.#deadline) return line;
      if (isMatch(line.text) && !this.#add(line)) return line;
      if (performance.now() > this.#turnEnd) {
        await new Promise((resolve) => setTimeout(resolve));
        signal.throwIfAborted();
        this.#turnEnd = performance.now() + TURN_MS;
      }
    }
    return undefined;
  }

  #add({ offset, text }: OutputLine): boolean {
    this.#left -= jsonTextLength(text);
    const isFull = this.matches.length === MOST_MATCHES || this.#left < 0;
    if (isFull && this.matches.length > 0) return false;
    this.matches.push({ offset, line: text });
    return true;
  }
}
