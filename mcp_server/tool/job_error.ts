import { ToolError } from "../shared/error.ts";
import type { Refusal } from "./service.ts";

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
