import type { JobService } from "@trestle/mcp-server/toolkit";
import { keptOutput } from "./read_output.ts";

/** How much of each stream of a job was read, in bytes. */
export interface Position {
  /** Bytes of stdout. */
  readonly stdout: number;
  /** Bytes of stderr. */
  readonly stderr: number;
}

/** What is looked for, where, and until when. */
interface OutputSearch {
  /** The text. */
  readonly text: string;
  /** Where the search begins. */
  readonly from: Position;
  /** How long it waits for output, in milliseconds; the output so far is searched for 1 s in any case. */
  readonly timeoutMs: number;
  /** Ends the search with a rejection. */
  readonly signal: AbortSignal;
}

/** How long the output so far is searched at least. */
const LEAST_MS = 1_000;

/**
 * Whether a text is in the kept output of a job, in one of its streams: searches the output so far,
 * and then what comes, until the job ends or the time is over. Other calls go on meanwhile.
 */
export async function findInOutput(
  jobs: Pick<JobService, "read" | "watch">,
  id: string,
  { text, from, timeoutMs, signal }: OutputSearch,
): Promise<boolean> {
  const end = performance.now() + Math.max(timeoutMs, LEAST_MS);
  const waits = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const finders = { stdout: new TextFinder(text), stderr: new TextFinder(text) };
  for (const stream of ["stdout", "stderr"] as const) {
    for await (
      const part of keptOutput(jobs, id, { stream, offset: from[stream], skipsGap: true })
    ) {
      if (finders[stream].endsIn(part)) return true;
      signal.throwIfAborted();
      if (performance.now() > end) return false;
    }
  }
  const seen = { stdout: finders.stdout.end, stderr: finders.stderr.end, events: 0 };
  for await (const event of jobs.watch(id, { from: seen, signal: waits })) {
    // The journal of a job that was started again leads back to the beginning of its output.
    const isBefore = "bytes" in event && event.offset < from[event.type];
    if ("bytes" in event && !isBefore && finders[event.type].endsIn(event)) return true;
  }
  signal.throwIfAborted();
  return false;
}

/** Bytes of a stream, and where they are in it. */
export interface Piece {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

const encoder = new TextEncoder();

/**
 * Finds a text in a stream of bytes that comes in pieces, also across their borders: the algorithm of
 * Knuth, Morris and Pratt, which takes linear time whatever the text is.
 */
export class TextFinder {
  readonly #text: Uint8Array;
  /** Of each beginning of the text, how long the longest shorter one is that it ends with. */
  readonly #borders: Uint32Array;
  /** How much of the text the bytes seen so far end with. */
  #matched = 0;
  #end = 0;

  /** Takes the text; it is not empty. */
  constructor(text: string) {
    this.#text = encoder.encode(text);
    this.#borders = new Uint32Array(this.#text.length);
    for (let at = 1; at < this.#text.length; at++) {
      this.#borders[at] = this.#follow(this.#borders[at - 1] ?? 0, this.#text[at]);
    }
  }

  /** Offset of the first byte that was not seen yet. */
  get end(): number {
    return this.#end;
  }

  /** Takes the next piece; whether the text ends in it. Nothing is found across missing bytes. */
  endsIn({ offset, bytes }: Piece): boolean {
    let matched = offset === this.#end ? this.#matched : 0;
    this.#end = offset + bytes.length;
    const most = this.#text.length;
    let isFound = false;
    for (let at = 0; at < bytes.length && !isFound; at++) {
      matched = this.#follow(matched, bytes[at]);
      isFound = matched === most;
    }
    this.#matched = isFound ? 0 : matched;
    return isFound;
  }

  /** How much of the text is matched if this byte comes after `matched` bytes of it. */
  #follow(matched: number, byte: number | undefined): number {
    let length = matched;
    while (length > 0 && this.#text[length] !== byte) length = this.#borders[length - 1] ?? 0;
    return this.#text[length] === byte ? length + 1 : 0;
  }
}
