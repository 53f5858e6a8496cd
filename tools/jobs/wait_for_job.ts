import {
  type AnswerBounds,
  isFinal,
  isJsonObject,
  type Job,
  JobError,
  type JobService,
  type JsonObject,
  jsonTextLength,
  type JsonValue,
  type Limits,
  type OutputPart,
  type OutputStream,
} from "@trestle/mcp-server/toolkit";
import { jobTextLimit } from "./job_schema.ts";
import { keptOutput, readFittingJobText } from "./read_output.ts";

/** How much of each stream of a job was read, in bytes. */
export type Position = Readonly<Record<OutputStream, number>>;

/** How long a caller waits, for what, and how much it reads. */
interface JobOutputWait {
  /** `next` of the answer before. @default {the newest 4 KiB of each stream} */
  readonly from?: Position | undefined;
  /** At most 50, clamped, because many clients give up after 60 s; 0 does not wait. */
  readonly seconds: number;
  /** Ends the wait when this text is in a stream, after `from` or anywhere in what is kept. */
  readonly until?: string | undefined;
  /** The limits of the server: they bound the answer, which has 32 KiB of each stream at most. */
  readonly limits: Pick<Limits, "maxResultBytes">;
  /** What the answer may take over MCP. */
  readonly answerBounds?: AnswerBounds | undefined;
  /** Ends the wait with a rejection. */
  readonly signal: AbortSignal;
}

/** What is new of a job after a wait; `job-list` has the rest. */
type ShownJob =
  & Pick<Job, "id" | "state">
  & Partial<
    Pick<Job, "waiting" | "output" | "outcome" | "exitCode" | "parts" | "error" | "result">
  >;

/** A job after a wait, and its output. */
export interface WaitedJob {
  /** What is new of the job; its result leaves out what is in the streams. */
  readonly job: ShownJob;
  /** Output: whole characters, and a line about each hole of bytes that are not kept. */
  readonly stdout: string;
  /** As `stdout`. */
  readonly stderr: string;
  /** Where the next wait continues: its `from`. */
  readonly next: Position;
  /** Whether the text is in the output, if the wait is for one. */
  readonly matched?: boolean;
}

/** The longest wait, in seconds. */
const MOST_SECONDS = 50;
/** How much is read of each stream at most. */
const MOST_BYTES = 32 * 1024;
/** What the keys of an answer, and lines about what is left out, take. */
const KEYS = 256;
/** What a stream may take in any case, however large the job is. */
const LEAST = 1_024;
const START: Position = Object.freeze({ stdout: 0, stderr: 0 });
/** How much is read of the end of a stream if nobody says from where. */
const NEWEST_BYTES = 4 * 1024;

/**
 * Waits for the end of a job, for a text or for a time, and answers with the output after a position.
 * The answer depends on the arguments alone: a sequence of answers, each with `next` of the one
 * before, has all of the output, whoever else reads it. Rejects as `JobService.get()` does, and with
 * `BAD_OFFSET` for a position after the end of the output.
 */
export async function waitForJob(
  jobs: JobService,
  id: string,
  { from, until, seconds, limits, answerBounds, signal }: JobOutputWait,
): Promise<WaitedJob> {
  const timeoutMs = Math.min(seconds, MOST_SECONDS) * 1_000;
  if (from !== undefined) ensureWritten(await jobs.get(id), from);
  const matched = until === undefined ? {} : {
    matched: await findInOutput(jobs, id, { text: until, from: from ?? START, timeoutMs, signal }),
  };
  const rest = until === undefined ? timeoutMs : 0;
  const job = toWaited(await jobs.wait(id, { timeoutMs: rest, untilEnd: true, signal }));
  const limit = Math.min(
    answerBounds?.textBytes ?? MOST_BYTES,
    jobTextLimit(limits, { beside: job, streams: 2 }),
  );
  const room = (answerBounds?.characters ?? Infinity) - KEYS - JSON.stringify(job).length;
  const read = (stream: OutputStream, most: number) =>
    readOn(jobs, id, { stream, from, limit, most: Math.max(LEAST, most) });
  const stderr = await read("stderr", Math.floor(room / 2));
  const stdout = await read("stdout", room - jsonTextLength(stderr.text));
  const next = { stdout: stdout.next, stderr: stderr.next };
  return { job, stdout: stdout.text, stderr: stderr.text, next, ...matched };
}

/** Throws a `JobError` with `BAD_OFFSET` if a position is after the end of a job's output. */
export function ensureWritten({ output }: Job, from: Position): void {
  for (const stream of ["stdout", "stderr"] as const) {
    const { end } = output[stream];
    if (from[stream] <= end) continue;
    throw new JobError(
      `Cannot wait from offset ${from[stream]} of ${stream}: the output ends at ${end}; ` +
        "use next of the last answer about this job, or leave out from",
      { code: "BAD_OFFSET", nextOffset: end },
    );
  }
}

/** While a job is live, only its state may be new, and what it waits for. */
function toWaited({ id, state, output, waiting, ...ended }: Job): ShownJob {
  if (!isFinal(state)) return { id, state, ...(waiting === undefined ? {} : { waiting }) };
  const { outcome, exitCode, parts, error, result } = ended;
  return {
    ...{ id, state, output },
    ...(outcome === undefined ? {} : { outcome }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(parts === undefined ? {} : { parts }),
    ...(error === undefined ? {} : { error }),
    ...(result === undefined ? {} : { result: withoutOutput(result) }),
  };
}

/** A result of a tool without the output of commands: that of one command, or of those in `results`. */
function withoutOutput(result: JsonObject): JsonObject {
  const { results } = result;
  const own = isExecution(result) ? withoutStreams(result) : result;
  return Array.isArray(results) ? { ...own, results: results.map(withoutOutputOfPart) } : own;
}

function withoutOutputOfPart(part: JsonValue): JsonValue {
  return isJsonObject(part) ? withoutOutput(part) : part;
}

function withoutStreams({ stdout: _stdout, stderr: _stderr, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** Whether an object is an `ExecutionResult`, and not a row or a tool's own object with such a key. */
function isExecution({ stdout, stderr, exitCode, timedOut }: JsonObject): boolean {
  return typeof stdout === "string" && typeof stderr === "string" &&
    typeof exitCode === "number" && typeof timedOut === "boolean";
}

/** Reads on from a position; if the gap has grown over it, a line says how much is left out. */
async function readOn(
  jobs: JobService,
  id: string,
  { stream, from, limit, most }: {
    readonly stream: OutputStream;
    readonly from: Position | undefined;
    readonly limit: number;
    readonly most: number;
  },
): Promise<{ text: string; next: number }> {
  const offset = from?.[stream] ?? -Math.min(NEWEST_BYTES, limit);
  try {
    const request = { stream, offset, limit, most };
    const { text, nextOffset, gap } = await readFittingJobText(jobs, id, request);
    const note = gap === undefined ? "" : noteOf(gap.to - gap.from, text);
    return { text: text + note, next: nextOffset };
  } catch (error) {
    if (!(error instanceof JobError) || !((error.nextOffset ?? 0) > offset)) throw error;
    const { nextOffset = offset } = error;
    const request = { stream, offset: nextOffset, limit, most };
    const read = await readFittingJobText(jobs, id, request);
    return { text: noteOf(nextOffset - offset, "") + read.text, next: read.nextOffset };
  }
}

function noteOf(bytes: number, before: string): string {
  const lineEnd = before === "" || before.endsWith("\n") ? "" : "\n";
  return `${lineEnd}[... ${bytes} bytes left out ...]\n`;
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
  endsIn({ offset, bytes }: Pick<OutputPart, "offset" | "bytes">): boolean {
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
