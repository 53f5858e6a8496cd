import type { Expiry, WaitBounds } from "../shared/concurrency.ts";
import type { Limits } from "../shared/limits.ts";
import { ToolError } from "../shared/error.ts";
import type { EndedCommand, ExecutionResult, OutputSoFar } from "./command.ts";
import type { KeptJob } from "./job_service.ts";
import { buildResponse } from "./result.ts";
import type { ToolExtra } from "./tool.ts";
import { jsonByteLength, jsonTextLength, withoutCutEnd, withoutCutStart } from "../shared/json.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The kept part of an output, as text. */
interface CapturedText {
  readonly text: string;
  /** Whether a line in it says how many bytes are left out. */
  readonly truncated: boolean;
}

/** The line between head and tail, with the line feed that may precede it, as JSON text. */
const NOTE_LENGTH = 48;

/**
 * Keeps an output stream within a number of bytes, however long it is: the first quarter of them
 * and the last three quarters. Memory grows with the output, up to the cap and no further.
 *
 * @example
 * ```ts ignore
 * const capture = new OutputCapture(8);
 * capture.push(new TextEncoder().encode("0123456789"));
 * capture.text(); // "01\n[... 2 bytes left out ...]\n456789"
 * ```
 */
export class OutputCapture {
  readonly #limit: number;
  readonly #headSize: number;
  /** The head, then a ring buffer with the tail; if nothing is left out, simply the output. */
  #bytes = new Uint8Array(0);
  #total = 0;

  constructor(limit: number) {
    this.#limit = Math.max(0, Math.floor(limit));
    this.#headSize = Math.floor(this.#limit / 4);
  }

  /** Whether the output was longer than the cap. */
  get truncated(): boolean {
    return this.#total > this.#limit;
  }

  /** Takes the next piece of the stream; the piece is copied, so its buffer may be used again. */
  push(chunk: Uint8Array): void {
    this.#reserve(Math.min(this.#total + chunk.length, this.#limit));
    const room = Math.max(0, Math.min(this.#limit - this.#total, chunk.length));
    if (room > 0) this.#bytes.set(chunk.subarray(0, room), this.#total);
    this.#total += room;
    if (room < chunk.length) this.#pushToRing(chunk.subarray(room));
  }

  /**
   * The output as text: whole characters at the cut, with a line between head and tail that says
   * how many bytes are left out; bytes that are not UTF-8 become U+FFFD.
   */
  text(): string {
    if (this.#total === 0) return "";
    if (!this.truncated) return decoder.decode(this.#bytes.subarray(0, this.#total));
    return this.#join(this.#bytes.subarray(0, this.#headSize), this.#tail());
  }

  /**
   * The output as text that takes at most `most` characters as JSON: control characters take six
   * each. If it takes more, head and tail are shortened in the same proportion.
   */
  fit(most: number): CapturedText {
    if (this.jsonLength <= most) return { text: this.text(), truncated: this.truncated };
    const room = Math.max(0, most - NOTE_LENGTH);
    const kept = this.#kept;
    const first = this.truncated ? kept.subarray(0, this.#headSize) : kept;
    const last = this.truncated ? this.#tail() : kept;
    return {
      text: this.#join(startOf(first, Math.floor(room / 4)), endOf(last, Math.ceil(room / 4 * 3))),
      truncated: true,
    };
  }

  /** What the text takes as JSON, without its quotes; a byte of a longer character counts as one. */
  get jsonLength(): number {
    let length = this.truncated ? NOTE_LENGTH : 0;
    for (const byte of this.#kept) length += jsonByteLength(byte);
    return length;
  }

  get #kept(): Uint8Array {
    return this.#bytes.subarray(0, Math.min(this.#total, this.#limit));
  }

  #join(first: Uint8Array, last: Uint8Array): string {
    const head = withoutCutEnd(first);
    const tail = withoutCutStart(last);
    const leftOut = this.#total - head.length - tail.length;
    return `${endLine(decoder.decode(head))}[... ${leftOut} bytes left out ...]\n${
      decoder.decode(tail)
    }`;
  }

  #reserve(size: number): void {
    if (size <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.min(this.#limit, Math.max(size, 2 * this.#bytes.length)));
    grown.set(this.#bytes.subarray(0, this.#total));
    this.#bytes = grown;
  }

  #pushToRing(chunk: Uint8Array): void {
    const ring = this.#bytes.subarray(this.#headSize, this.#limit);
    if (ring.length > 0) {
      const kept = chunk.subarray(Math.max(0, chunk.length - ring.length));
      const at = (this.#total + chunk.length - kept.length - this.#headSize) % ring.length;
      const untilEnd = kept.subarray(0, ring.length - at);
      ring.set(untilEnd, at);
      ring.set(kept.subarray(untilEnd.length));
    }
    this.#total += chunk.length;
  }

  #tail(): Uint8Array {
    const ring = this.#bytes.subarray(this.#headSize, this.#limit);
    const at = ring.length === 0 ? 0 : (this.#total - this.#headSize) % ring.length;
    const tail = new Uint8Array(ring.length);
    tail.set(ring.subarray(at));
    tail.set(ring.subarray(0, at), ring.length - at);
    return tail;
  }
}

/** The bytes from the start that take `most` characters as JSON text. */
function startOf(bytes: Uint8Array, most: number): Uint8Array {
  let end = 0;
  for (let left = most; end < bytes.length; end++) {
    left -= jsonByteLength(bytes[end] ?? 0);
    if (left < 0) break;
  }
  return bytes.subarray(0, end);
}

/** The bytes up to the end that take `most` characters as JSON text. */
function endOf(bytes: Uint8Array, most: number): Uint8Array {
  let start = bytes.length;
  for (let left = most; start > 0; start--) {
    left -= jsonByteLength(bytes[start - 1] ?? 0);
    if (left < 0) break;
  }
  return bytes.subarray(start);
}

/** Both outputs of a command, as text that takes at most `most` characters as JSON. */
export function fitOutputs(
  { stdout, stderr }: { readonly stdout: OutputCapture; readonly stderr: OutputCapture },
  most: number,
): { readonly stdout: string; readonly stderr: string; readonly truncated: boolean } {
  const half = Math.floor(most / 2);
  const err = stderr.fit(Math.max(half, most - stdout.jsonLength));
  const out = stdout.fit(most - jsonTextLength(err.text));
  return { stdout: out.text, stderr: err.text, truncated: out.truncated || err.truncated };
}

function endLine(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** Clamps a requested value to a limit: `fallback` if there is none, at most `max`. */
export function clamp(requested: number | undefined, fallback: number, max: number): number {
  return Math.min(requested ?? fallback, max);
}

/** Says of a command that was not stopped how it ended. */
export function toEndedCommand(
  { exitCode, timedOut, oomKilled = false }: {
    readonly exitCode: number;
    readonly timedOut: boolean;
    readonly oomKilled?: boolean | undefined;
  },
): EndedCommand {
  if (timedOut) return { end: "timeout", exitCode };
  if (oomKilled) return { end: "oom", exitCode };
  return { end: exitCode === 0 ? "ok" : "nonzero", exitCode };
}

/** A command that goes on although its call is answered, with its output so far. */
export type RunningCommand = OutputSoFar & {
  readonly timedOut: false;
  readonly running: true;
};

/** Creates the answer of a call that goes on as a job. */
export type ToJobAnswer = (command: RunningCommand, job: KeptJob) => object;

/** What the outputs of one call may take. */
export interface OutputBounds {
  /** Bytes kept of each stream. */
  readonly outputBytes: number;
  /** Characters of the whole answer as JSON text. */
  readonly characters: number;
}

/**
 * What the outputs of a call may take: over MCP less than the limits say, unless the call asks for a
 * number of bytes.
 */
export function outputBoundsOf(
  maxOutputBytes: number | undefined,
  { answerBounds }: Pick<ToolExtra, "answerBounds">,
  limits: Limits,
): OutputBounds {
  const outputBytes = clamp(maxOutputBytes, limits.outputBytes, limits.maxOutputBytes);
  if (answerBounds === undefined || maxOutputBytes !== undefined) {
    return { outputBytes, characters: limits.maxResultBytes };
  }
  const { textBytes, characters } = answerBounds;
  return { outputBytes: Math.min(textBytes, outputBytes), characters };
}

/** The size of one part's keys, and of the line that says how much of its output is left out. */
const KEYS = 256;
/** What each part of a large answer may take in any case, however much earlier ones took. */
const SHARE = 8 * 1024;

/** In a smaller one, each part may take this part of what there is on average. */
const RESERVED = 4;

/**
 * Divides the maximum size of a call's answer, as JSON text, among its parts, such as the results
 * of its commands. A part may take what is left, minus a share for each part after it.
 */
export class ResultBudget {
  #left: number;
  #parts: number;
  readonly #share: number;

  /** Takes the size of the whole answer, the number of its parts, and what the keys of each take. */
  constructor(size: number, parts: number, keys: number = KEYS) {
    this.#left = size - keys * parts;
    this.#parts = parts;
    const even = Math.max(0, Math.floor(this.#left / parts));
    this.#share = even >= SHARE ? SHARE : Math.floor(even / RESERVED);
  }

  /** What the outputs of the next part may take, as JSON text. */
  get next(): number {
    return Math.max(0, this.#left - this.#share * (this.#parts - 1));
  }

  /** Counts a finished part. */
  spend(size: number): void {
    this.#left -= size;
    this.#parts--;
  }
}

/**
 * Lets a call go on as a job, and answers it. Resolves with `undefined`, or with the reason why it can't
 * become one.
 */
export async function goOnAsJob(
  { job }: Pick<ToolExtra, "job">,
  toAnswer: (job: KeptJob) => object,
): Promise<string | undefined> {
  if (job === undefined) return "jobs can't be kept here";
  try {
    const kept = await job.keep();
    job.answer?.(buildResponse(toAnswer(kept)));
    return undefined;
  } catch (error) {
    if (error instanceof ToolError) return error.message;
    throw error;
  }
}

/**
 * Names the job that has the whole output in each result that leaves out a part of it; where the call
 * can't become a job, the results stay as they are.
 */
export async function withJobOfRest<Result extends ExecutionResult>(
  results: readonly Result[],
  { job }: Pick<ToolExtra, "job">,
): Promise<Result[]> {
  if (job === undefined || !results.some(({ truncated }) => truncated)) return [...results];
  try {
    const { id } = await job.keep();
    return results.map((result) => result.truncated ? { ...result, job: id } : result);
  } catch (error) {
    if (error instanceof ToolError) return [...results];
    throw error;
  }
}

/** Says what the time-out of a stopped command was, and how one can run longer. */
export function withTimeoutHint<Result extends ExecutionResult>(
  result: Result,
  { timeoutMs, refusal, extra: { limits, job } }: {
    /** The time-out that the call asked for. */
    readonly timeoutMs: number | undefined;
    /** Why the command could not go on as a job, if it was to. */
    readonly refusal: string | undefined;
    readonly extra: Pick<ToolExtra, "limits" | "job">;
  },
): Result {
  if (!result.timedOut) return result;
  const { maxTimeoutMs } = limits;
  const own = clamp(timeoutMs, limits.timeoutMs, maxTimeoutMs);
  if (refusal !== undefined) {
    const hint = `Stopped after timeoutMs (${own}): it can't go on as a job, ${refusal}`;
    return { ...result, hint };
  }
  const isJob = job !== undefined && job.answer === undefined;
  const longer = isJob ? "" : "; job-start runs longer work";
  return { ...result, hint: `Stopped after timeoutMs (${own}, at most ${maxTimeoutMs})${longer}` };
}

/** How work ended: by itself, or because its wait did. */
export type RunEnd = "ended" | Expiry;

/** What ends a run, besides itself. */
export interface RunBounds extends WaitBounds {
  /** The time within which it may go on after `timeoutMs`, in milliseconds from its start. */
  readonly mostMs: number;
  /** Decides whether it goes on when `timeoutMs` is over. @default {it does not} */
  readonly goesOn?: (() => Promise<boolean>) | undefined;
}

/**
 * Waits for the end of a run, which goes on meanwhile: `wait()` resolves with what comes first, its own
 * end or one of the bounds.
 */
export async function untilEnd<End extends string>(
  wait: (bounds: WaitBounds) => Promise<End>,
  { signal, timeoutMs, mostMs, goesOn }: RunBounds,
): Promise<End> {
  const startedAt = performance.now();
  const leftMs = () => mostMs - (performance.now() - startedAt);
  const end = await wait({ signal, timeoutMs });
  if (end !== "timedOut" || goesOn === undefined || leftMs() <= 0 || !await goesOn()) return end;
  return await wait({ signal, timeoutMs: Math.max(0, leftMs()) });
}
