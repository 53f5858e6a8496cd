import type { Caller } from "../access/caller.ts";
import type { FleetServer, ServerState } from "./fleet.ts";
import type { Job } from "./job.ts";
import type { JobService } from "./job_service.ts";
import type { CallOptions, CallOutcome, Transport } from "./service.ts";

/** A call that runs and may become a job: afterwards call either `keep()` or `forget()`. */
export interface KeepableCall {
  /** How it ended; never rejects. */
  readonly outcome: Promise<CallOutcome>;
  /** Stores the call as a job, with its output so far. Rejects with `BUSY` if too many are live. */
  keep(): Promise<Job>;
  /** Removes what is stored of a call that was answered without a job; never rejects. */
  forget(): Promise<void>;
  /** Stops it, with all processes. */
  stop(): void;
}

/** A call as its transport passes it on; who stops it is up to the transport. */
export type KeepableOptions = Omit<CallOptions, "client" | "caller">;

/** The jobs of one caller as a transport sees them. */
export interface CallerJobs extends JobService {
  /**
   * How the job ended, as the outcome of a plain call: the whole result, or the refusal;
   * `undefined` while it is live. A lost job is a refusal of the kind `JOB_LOST`.
   */
  outcome(id: string): Promise<CallOutcome | undefined>;
  /**
   * Carries out a call that may become a job, with the limits of jobs. Rejects with a `JobError`: with
   * the `refusal` of a plain call, and with `JOBS_UNAVAILABLE` if no jobs can be kept.
   */
  call(tool: string, args: unknown, options: KeepableOptions): Promise<KeepableCall>;
  /** Resolves if the caller may answer what its job asks; else rejects as `writeStdin()` does. */
  mayAnswer(id: string): Promise<void>;
}

/** Carries out the jobs of all callers. */
export interface JobHost {
  /** Whether this server takes jobs. */
  readonly state: ServerState;
  /**
   * The jobs of one caller; the address of its client and its transport are for the audit.
   * `transport` is `"embedded"` by default.
   */
  forCaller(caller: Caller, address?: string, transport?: Transport): CallerJobs;
  /**
   * The servers that share the jobs and are alive; only this one where jobs aren't shared. Rejects with
   * a `JobError` if the store can't be used.
   */
  servers(): Promise<readonly FleetServer[]>;
}
