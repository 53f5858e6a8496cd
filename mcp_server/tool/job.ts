import type { CallEnding } from "./call_ending.ts";
import type { OutputStream, ProgressUpdate } from "./call_messages.ts";
import type { JsonObject } from "../shared/json.ts";

/**
 * The state of a job. `completed`: the tool returned, whatever the exit code. `failed`: the call
 * was rejected or crashed. `lost`: the server that ran it is gone, so its result is unknown.
 */
export type JobState = "queued" | "running" | "completed" | "failed" | "cancelled" | "lost";

/** Every state, in the order of a job's life. */
export const JOB_STATES: readonly JobState[] = Object.freeze([
  "queued",
  "running",
  "completed",
  "failed",
  "cancelled",
  "lost",
]);

/** Whether a job in this state never changes again. */
export function isFinal(state: JobState): boolean {
  return state !== "queued" && state !== "running";
}

/** Bytes that are not kept: from `from` up to, but not including, `to`. */
export interface OutputGap {
  /** Offset of the first byte that is missing. */
  readonly from: number;
  /** Offset of the first byte after the gap. */
  readonly to: number;
}

/** Which bytes of a stream are kept, by offset; the first byte of the stream has offset 0. */
export interface OutputRange {
  /** Offset of the first byte that is kept. */
  readonly start: number;
  /** Offset after the last byte that is kept: the length of the stream so far. */
  readonly end: number;
  /** The gap between head and tail, if the stream is longer than its kept part. */
  readonly gap?: OutputGap;
}

/** Why a job has no result. */
export interface JobFailure {
  /** Stable name of the failure; that of a plain call, or `JOB_LOST`. */
  readonly code: string;
  /** What was wrong; free of the server's secrets. */
  readonly message: string;
}

/**
 * A tool call that continues by itself. Times are ISO 8601; optional keys appear if they apply. Once
 * it has ended, it says how; where an older version ran it, only together with its result.
 */
export interface Job extends Partial<CallEnding> {
  /** Unguessable; also the id of the job as an MCP task. */
  readonly id: string;
  /** Name of the tool. */
  readonly tool: string;
  /** The state of the job. */
  readonly state: JobState;
  /** Name of the caller that started it. */
  readonly caller: string;
  /** Name of the server that runs it, or ran it; absent while it waits, and where jobs aren't shared. */
  readonly server?: string;
  /** Which run it is, from 1; absent where jobs aren't shared. */
  readonly attempt?: number;
  /** When it was created. */
  readonly createdAt: string;
  /** When it got its permit; absent if it never ran. */
  readonly startedAt?: string;
  /** When it became final. */
  readonly endedAt?: string;
  /** When the job is removed; known once the job has ended. */
  readonly expiresAt?: string;
  /** Whether the job takes input, and so was started with `stdin: true`. */
  readonly stdin?: true;
  /** The kept parts of the output. */
  readonly output: Readonly<Record<OutputStream, OutputRange>>;
  /** The tool's output, as a call returns it; omitted in lists of jobs. */
  readonly result?: JsonObject;
  /** Why it has no result, unless it is completed. */
  readonly error?: JobFailure;
}

/** The part of the kept bytes that is the head of a stream; the others are the latest bytes. */
const HEAD_SHARE = 16;

/** Computes which bytes of a stream of `length` bytes are kept if `most` may be kept. */
export function toOutputRange(length: number, most: number): OutputRange {
  if (length <= most) return { start: 0, end: length };
  const head = Math.floor(most / HEAD_SHARE);
  return { start: 0, end: length, gap: { from: head, to: length - (most - head) } };
}

/** A position in everything that happens to a job; each event carries the position after it. */
export interface WatchCursor {
  /** Bytes of stdout that were seen. */
  readonly stdout: number;
  /** Bytes of stderr that were seen. */
  readonly stderr: number;
  /** Other events that were seen: changes of state, and progress. */
  readonly events: number;
}

/** The position before everything. */
export const JOB_START: WatchCursor = Object.freeze({ stdout: 0, stderr: 0, events: 0 });

/** What happens to a job. */
export type JobEvent =
  & { readonly cursor: WatchCursor }
  & (
    | {
      readonly type: OutputStream;
      /** Offset of the first byte. */
      readonly offset: number;
      /** Whole characters, if the output is UTF-8. */
      readonly bytes: Uint8Array<ArrayBuffer>;
    }
    | { readonly type: "gap"; readonly stream: OutputStream; readonly gap: OutputGap }
    | { readonly type: "progress"; readonly update: ProgressUpdate }
    | { readonly type: "state"; readonly state: JobState }
  );
