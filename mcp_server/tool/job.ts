import { ToolError } from "../shared/error.ts";
import type { JsonObject } from "../shared/json.ts";
import type { OutputStream, TerminalSize } from "./command.ts";
import type { CallEnding, EndingKind, ProgressUpdate, Refusal } from "./result.ts";

/**
 * The state of a job. `completed`: the tool returned, whatever the exit code. `failed`: the call
 * was rejected or crashed. `lost`: the server that ran it is gone, so its result is unknown.
 */
export type JobState = "queued" | "running" | "completed" | "failed" | "cancelled" | "lost";

/** Every state, in the order of a job's life. */
export const JOB_STATES: readonly JobState[] = Object.freeze(
  ["queued", "running", "completed", "failed", "cancelled", "lost"],
);

/** Every way in which a job may end. */
export const JOB_OUTCOMES: readonly EndingKind[] = Object.freeze(
  ["ok", "failed", "timeout", "cancelled", "lost"],
);

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
  /** What it does, for people; absent for a job of an older version. */
  readonly title?: string;
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
  /**
   * Its arguments without secrets, the values of variables and input; only over HTTP, by its id, and
   * absent if they are longer than 64 Ki characters.
   */
  readonly args?: JsonObject;
  /** Whether something is missing in `args`, so that they can't be used as they are. */
  readonly argsMasked?: true;
  /** Its terminal, if it was started with one; where `args` are. */
  readonly tty?: TerminalSize;
  /** The tool's output, as a call returns it; omitted in lists of jobs. */
  readonly result?: JsonObject;
  /** Why it has no result, unless it is completed. */
  readonly error?: JobFailure;
  /** What it waits for here before it begins; absent if it waits for nothing but its turn. */
  readonly waiting?: "approval";
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

/** Why something can't be done with a job. */
export type JobErrorCode =
  /** No such job: the id is unknown, the job has expired, or it is another caller's. */
  | "JOB_NOT_FOUND"
  /** The job has not ended yet, which is required to delete it. */
  | "JOB_NOT_ENDED"
  /** The job does not run, which is required to write its input. */
  | "JOB_NOT_RUNNING"
  /** The job was not started with `stdin: true`. */
  | "JOB_WITHOUT_STDIN"
  /** The input of the job has ended, or nothing reads it anymore. */
  | "STDIN_CLOSED"
  /** There is no byte at that offset, not yet or no longer; see `nextOffset`. */
  | "BAD_OFFSET"
  /** The cursor of a list was not created by the server. */
  | "BAD_CURSOR"
  /** The same key was sent with another tool or other arguments. */
  | "IDEMPOTENCY_KEY_REUSED"
  /** Too many jobs are live, or too much input waits to be read. */
  | "BUSY"
  /** The disk on which jobs are kept is full. */
  | "STORAGE_FULL"
  /** Jobs can't be kept at all; the message says why. */
  | "JOBS_UNAVAILABLE"
  /** The tool is unknown, its arguments are wrong, or the server stops: see `refusal`. */
  | Refusal["kind"];

/** Details of a {@linkcode JobError}. */
export interface JobErrorOptions {
  /** Stable name of the refusal. */
  readonly code: JobErrorCode;
  /** The refusal of a job that was not started. */
  readonly refusal?: Refusal;
  /** The next offset at which there is a byte. */
  readonly nextOffset?: number;
  /** What caused it. */
  readonly cause?: unknown;
}

/** A refusal of the job functions; its message and code reach the caller unchanged. */
export class JobError extends ToolError {
  /** Name of the error class. */
  override readonly name: string = "JobError";
  /** Stable name of the refusal. */
  declare readonly code: JobErrorCode;
  /** The refusal of a plain call, if the job was rejected at its start. */
  readonly refusal: Refusal | undefined;
  /** For `BAD_OFFSET`: the next offset at which there is, or will be, a byte. */
  readonly nextOffset: number | undefined;

  /** Takes the message for the caller, the code, and details. */
  constructor(message: string, options: JobErrorOptions) {
    super(message, options);
    this.refusal = options.refusal;
    this.nextOffset = options.nextOffset;
  }
}

/** The tables of jobs are missing, and the server may not create them; the operator runs `sql`. */
export class JobSetupError extends JobError {
  /** Name of the error class. */
  override readonly name: string = "JobSetupError";
  /** What a role with more rights has to run once. */
  readonly sql: string;

  /** Takes the message, the SQL that solves it, and what caused it. */
  constructor(message: string, { sql, cause }: { sql: string; cause: unknown }) {
    super(message, { code: "JOBS_UNAVAILABLE", cause });
    this.sql = sql;
  }
}

/** A tool call to run as a job. */
export interface JobRequest {
  /** Name of the tool. */
  readonly tool: string;
  /** Its arguments. @default {{}} */
  readonly args?: unknown;
  /** What it does, for people, in 200 characters. @default {its tool and what it runs} */
  readonly title?: string;
  /** The first command that the job runs reads `writeStdin()`. @default {false} */
  readonly stdin?: boolean;
  /**
   * The command that reads the input has a terminal, of 24 rows and 80 columns unless its size is
   * given: programs ask as they ask a person, what they read is repeated, and both streams of output
   * are stdout, with lines that end with CRLF. Includes `stdin`. @default {false}
   */
  readonly tty?: boolean | TerminalSize;
  /** Which server runs it: one with this label, or `name:<server>`. @default {any} */
  readonly on?: string;
  /**
   * How often it is started again if its server is gone, 0 to 10; its output starts anew each time.
   * @default {0}
   */
  readonly retries?: number;
}

/** Further options of a start. */
export interface JobStartOptions {
  /** The same key starts only one job, however often one caller sends it. */
  readonly idempotencyKey?: string;
  /** Metadata that the client sent with the call, for the tool. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /**
   * `call`: acquires permits for commands like a plain call, before all jobs, and is rejected as
   * busy if a call would be. For a call that may turn out to be long. @default {"job"}
   */
  readonly priority?: "job" | "call";
  /** Whether its result is bounded as the answer of a call over MCP. @default {false} */
  readonly asAnswer?: boolean;
}

/** A job that was started, now or by an earlier request with the same key. */
export interface StartedJob {
  /** The current state of the job. */
  readonly job: Job;
  /** Whether an earlier request with the same key started it. */
  readonly replayed: boolean;
}

/** Which jobs are listed. */
export interface JobQuery {
  /** Only jobs in this state. */
  readonly state?: JobState;
  /** Only jobs that have ended like this. */
  readonly outcome?: EndingKind;
  /** Only jobs of this tool. */
  readonly tool?: string;
  /** Only jobs whose title contains this, or whose id begins with it; case does not count. */
  readonly search?: string;
  /** 1 to 1,000; clamped. @default {100} */
  readonly limit?: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string;
}

/** A part of a list of jobs, the newest first; they lack `result`. */
export interface JobPage {
  /** The jobs. */
  readonly jobs: readonly Job[];
  /** Leads to the next page; absent on the last one. */
  readonly nextCursor?: string;
}

/** How long to wait for a job, and for which change of it. */
export interface JobWait {
  /** In milliseconds; 0 does not wait. */
  readonly timeoutMs: number;
  /** The known state: the wait ends once the state differs. @default {the current state} */
  readonly since?: JobState;
  /** Waits for the end of the job, whatever its states before. @default {false} */
  readonly untilEnd?: boolean;
  /** Ends the wait early, with a rejection. */
  readonly signal?: AbortSignal;
}

/** Which bytes of a stream are read. */
export interface OutputRequest {
  /** Which stream. */
  readonly stream: OutputStream;
  /** Offset of the first byte; a negative one counts from the end. @default {0} */
  readonly offset?: number;
  /** How many bytes; at most 1 MiB, clamped. @default {65_536} */
  readonly limit?: number;
}

/** Bytes of a stream, as the command wrote them; none at the end of the stream. */
export interface OutputPart {
  /** Offset of the first byte. */
  readonly offset: number;
  /** The bytes; they belong to the caller. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The offset to continue at: after the last byte, or after the gap that starts there. */
  readonly nextOffset: number;
  /** What is kept of the stream. */
  readonly range: OutputRange;
  /** Whether the job has ended, so that `range.end` is final. */
  readonly ended: boolean;
}

/** Which output of both streams is read. */
export interface MergedRequest {
  /** Up to which offset of each stream: `start` of the part after. @default {the end} */
  readonly before?: Readonly<Record<OutputStream, number>>;
  /** How many bytes; clamped to 4 bytes and 1 MiB. @default {65_536} */
  readonly limit?: number;
}

/** Output of both streams, in the order in which it was stored. */
export interface MergedOutput {
  /** Pieces of the streams, and gaps in them. */
  readonly events: readonly JobEvent[];
  /** The offsets before the first piece. */
  readonly start: Readonly<Record<OutputStream, number>>;
  /** The offsets after the last one. */
  readonly end: Readonly<Record<OutputStream, number>>;
}

/** From which position a job is watched, and until when. */
export interface JobWatch {
  /** The position after the last event that was seen. @default {JOB_START} */
  readonly from?: WatchCursor;
  /** Ends the events, without a rejection. */
  readonly signal: AbortSignal;
}

/**
 * The jobs of one caller. Every method rejects with a `JobError`: for an id that is unknown, has
 * expired or is another caller's, always with the same `JOB_NOT_FOUND`, and with `JOBS_UNAVAILABLE`
 * if the store can't be used.
 */
export interface JobService {
  /**
   * Starts a job; resolves once it is stored. Rejects with the `refusal` of a plain call if the tool
   * is unknown or its arguments are wrong, with `IDEMPOTENCY_KEY_REUSED`, and with `BUSY` if too
   * many jobs are live.
   */
  start(request: JobRequest, options?: JobStartOptions): Promise<StartedJob>;
  /** One job, with its result. */
  get(id: string): Promise<Job>;
  /** The caller's jobs, newest first. Rejects with `BAD_CURSOR` for a cursor that is not valid. */
  list(query?: JobQuery): Promise<JobPage>;
  /** Resolves with the job when its state has changed or the time is over, or if it is final. */
  wait(id: string, wait: JobWait): Promise<Job>;
  /** Reads bytes of a stream. Rejects with `BAD_OFFSET` inside the gap and beyond the end. */
  read(id: string, request: OutputRequest): Promise<OutputPart>;
  /**
   * Everything that happens to a job, from a position on: nothing is left out or repeated, but for
   * output that is no longer kept, which a `gap` event reports. Ends after the final `state` event.
   */
  watch(id: string, watch: JobWatch): AsyncIterable<JobEvent>;
  /** Stops a job with all its processes; resolves before they have ended. A final job stays as is. */
  cancel(id: string): Promise<Job>;
  /**
   * Writes to the standard input of the job's first command. Resolves once the bytes are accepted,
   * not once they are read; rejects with `JOB_NOT_RUNNING`, `JOB_WITHOUT_STDIN`, `STDIN_CLOSED`, and
   * with `BUSY` while 1 MiB waits to be read.
   */
  writeStdin(id: string, bytes: Uint8Array): Promise<void>;
  /** Closes the standard input after what was written; rejects as `writeStdin()` does. */
  endStdin(id: string): Promise<void>;
  /** Forgets a job and its output; rejects with `JOB_NOT_ENDED` if it is live. */
  delete(id: string): Promise<void>;
  /** The servers that share the jobs and are alive; only this one where jobs aren't shared. */
  servers(): Promise<readonly { readonly name: string; readonly labels: readonly string[] }[]>;
}
