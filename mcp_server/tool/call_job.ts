import type { OutputStream } from "./command.ts";
import type { ToolResult } from "./result.ts";

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
