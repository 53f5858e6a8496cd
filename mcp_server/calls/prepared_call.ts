import type { Caller } from "../access/caller.ts";
import type { JobRunner } from "../run/command_runner.ts";
import type { CallOutcome, Refusal } from "../tool/result.ts";
import type { Validation } from "../tool/schema.ts";
import type { CallOptions } from "../tool/service.ts";
import type { RegisteredTool } from "../tool/tool.ts";
import type { ApprovalRequest } from "./approvals.ts";

/** A call that may become a job while it runs. */
export interface Adoptable {
  /** A word in the environment of its processes, by which those of the job are found. */
  readonly mark: string;
  /** The id of the job; `undefined` as long as the call is none yet. */
  readonly jobId: () => string | undefined;
  /** Called with what ends its count among the running calls before its end. */
  readonly onEntered: (entered: Disposable) => void;
}

/** A run of a job. */
export interface JobRun extends Pick<Adoptable, "jobId"> {
  readonly runner: Pick<JobRunner, "forCall">;
}

/** A call of a job whose arguments are checked, or why there is none. */
export type PreparedCall =
  | { readonly ok: false; readonly refusal: Refusal }
  | {
    readonly ok: true;
    /**
     * Waits until the call is approved, or says why it is not, which is recorded; absent if it needs no
     * approval. A call that was not approved before it runs waits then.
     */
    readonly approve?: (wait: ApprovalWait) => Promise<Refusal | undefined>;
    /** Why its caller, with the rights that it has by then, may not begin it; that is recorded. */
    readonly recheck: (caller: Caller) => Refusal | undefined;
    /** Carries out the call with the runner of the job; never rejects. */
    readonly run: (options: CallOptions, job: JobRun) => Promise<CallOutcome>;
    /** Releases the tool, also if the call was never carried out. */
    readonly [Symbol.dispose]: () => void;
  };

/** Who may approve a call of a job before it runs, and what ends the wait. */
export type ApprovalWait = Pick<ApprovalRequest, "signal" | "ask" | "stdin" | "job">;

/** A call of a job whose arguments are checked, or why there is none. */
export type CheckedCall =
  | { readonly ok: false; readonly refusal: Refusal }
  | { readonly ok: true; readonly call: ToolCall };

/** A tool and how the arguments of one call are checked. */
export interface ToolCall {
  readonly tool: RegisteredTool;
  /** The arguments, as the client sent them. */
  readonly input: unknown;
  readonly validate: () => Validation | Promise<Validation>;
  /** Whose call is approved: a caller with other rights needs a new approval. */
  approvedFor?: Caller;
}
