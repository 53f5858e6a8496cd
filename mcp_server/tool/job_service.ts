import type { OutputStream, TerminalSize } from "./command.ts";
import type { Job, JobEvent, JobState, OutputRange, WatchCursor } from "./job.ts";
import type { ToolResult } from "./result.ts";
import type { EndingKind } from "./ending.ts";

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

/** What happens to a job, and when that was. */
export type MergedEvent = JobEvent & {
  /** In milliseconds since 1970, to about a second; unknown for a job of an older version. */
  readonly at: number | undefined;
};

/** Output of both streams, in the order in which it was stored. */
export interface MergedOutput {
  /** Pieces of the streams, and gaps in them. */
  readonly events: readonly MergedEvent[];
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
  /**
   * Writes the last bytes, if there are any, and closes the standard input after all that was written.
   * A job that ends because of them has nothing left to close; otherwise rejects as `writeStdin()` does.
   */
  endStdin(id: string, bytes?: Uint8Array): Promise<void>;
  /** Forgets a job and its output; rejects with `JOB_NOT_ENDED` if it is live. */
  delete(id: string): Promise<void>;
  /** The servers that share the jobs and are alive; only this one where jobs aren't shared. */
  servers(): Promise<readonly { readonly name: string; readonly labels: readonly string[] }[]>;
}

/** A running call that has become a job. */
export interface KeptJob {
  /** The id of the job. */
  readonly id: string;
  /** The length of its output when that was asked for; `job-wait` continues there. */
  readonly next: Readonly<Record<OutputStream, number>>;
}

/** Makes a job of a running call. */
export interface CallJob {
  /**
   * Stores the call as a job, with its output from the beginning; the output is measured before the
   * first promise. Rejects with a `JobError`: with `BUSY` if too many are live, and as the store does.
   */
  keep(): Promise<KeptJob>;
  /**
   * Answers a call that was kept, while its tool goes on; what the tool returns is the result of the
   * job. Absent in a job, whose start has been answered.
   */
  answer?(result: ToolResult): void;
}
