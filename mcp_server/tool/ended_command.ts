import type { Limits } from "../shared/limits.ts";
import { ToolError } from "../shared/error.ts";
import type { EndedCommand, ExecutionResult, OutputSoFar } from "./command.ts";
import type { KeptJob } from "./job_service.ts";
import { buildResponse } from "./result.ts";
import type { ToolExtra } from "./tool.ts";

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
