import type { RE2JS } from "re2js";
import type { OutputStream } from "../../tool/command.ts";
import { messageOf, ToolError } from "../../shared/error.ts";
import type { OutputGap } from "../../tool/job.ts";
import type { JobService, OutputPart } from "../../tool/job_service.ts";
import { loadPackage } from "../../shared/working_folder.ts";
import { keptOutput } from "./kept_output.ts";
import { type FoundLine, inSearchTurn, LineSearch } from "./line_search.ts";
import { LineSplitter } from "./line_splitter.ts";
import { patternSize } from "./pattern_size.ts";

/** What is searched, and how much is found at once. */
export interface JobSearchRequest {
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
export interface JobMatches {
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
 * A line takes a time that grows with its length and with the number of instructions of the
 * expression, and nothing else runs meanwhile. So many are enough for each pattern without
 * repetitions, and for `.{0,1000}`.
 */
const MOST_INSTRUCTIONS = 3_000;
/** An expression whose estimate is so much larger is not compiled, which would take seconds. */
const ESTIMATE_FACTOR = 4;

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
  const regex = await compile(pattern, signal);
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

async function compile(pattern: string, signal: AbortSignal): Promise<RE2JS> {
  const { RE2JS } = await loadPackage("re2js", () => import("re2js"));
  const estimate = patternSize(pattern);
  if (estimate > ESTIMATE_FACTOR * MOST_INSTRUCTIONS) throw tooLarge(pattern, estimate);
  const regex = await inSearchTurn(() => compileWith(RE2JS, pattern), signal);
  const size = regex.programSize();
  if (size > MOST_INSTRUCTIONS) throw tooLarge(pattern, size);
  return regex;
}

function compileWith(compiler: Pick<typeof RE2JS, "compile">, pattern: string): RE2JS {
  try {
    return compiler.compile(pattern);
  } catch (cause) {
    const state = `${messageOf(cause)}; the syntax is that of RE2, ` +
      "without lookaround and backreferences";
    throw badPattern(pattern, state, cause);
  }
}

function tooLarge(pattern: string, size: number): ToolError {
  const state = `with its repetitions written out it has about ${size} instructions, ` +
    `${MOST_INSTRUCTIONS} at most; repeat less`;
  return badPattern(pattern, state);
}

function badPattern(pattern: string, state: string, cause?: unknown): ToolError {
  return new ToolError(`Cannot search for ${JSON.stringify(pattern)}: ${state}`, {
    code: "BAD_PATTERN",
    ...(cause === undefined ? {} : { cause }),
  });
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
