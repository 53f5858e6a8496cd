import type { RunKind } from "../calls/admission.ts";
import type { KeptJob } from "../tool/call_job.ts";
import type { ToolResult } from "../tool/result.ts";
import type { KeepableCall, KeepableOptions } from "../tool/service.ts";

/** How a call that may become a job is carried out. */
export interface PendingOptions extends KeepableOptions {
  /** Whose time-outs it has. @default {"job"} */
  readonly kind?: RunKind;
  /** Called when the tool answers a call that has become a job, and goes on. */
  readonly onAnswer?: (result: ToolResult) => void;
}

/** A call that runs and may become a job; `keep()` resolves once it has. */
export interface PendingJob extends Omit<KeepableCall, "keep"> {
  /** Whether its tool, or its transport, has made a job of it. */
  readonly isKept: boolean;
  /** Resolves when the end of the job is stored, or can't be stored before the server stops. */
  readonly ended: Promise<void>;
  keep(): Promise<KeptJob>;
}
