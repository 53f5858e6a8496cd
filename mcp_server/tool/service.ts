import type { Questions } from "./questions.ts";
import type { Caller } from "../access/caller.ts";
import type { CommandEnd, OutputEvent } from "./command.ts";
import type { FleetServer, Job, ServerState } from "./job.ts";
import type { CallJob, JobService, MergedOutput, MergedRequest } from "./job_service.ts";
import type { CallNotification, CallOutcome, ProgressUpdate, ToolResource } from "./result.ts";
import type { AskUser, ToolDefinition } from "./tool.ts";

/** The transport of a call. */
export type Transport = "http" | "mcp-http" | "mcp-stdio" | "embedded" | "job";

/** Who calls, how the call is stopped, and what to report to the caller while it runs. */
export interface CallOptions {
  /** The way by which the call came in. */
  readonly transport: Transport;
  /**
   * Whose signal stops the call: a `Request`, an `AbortController`, or the like. The signal is read
   * only if the call can be stopped; `isStopped` says beforehand whether it already was, if known.
   */
  readonly client: { readonly signal: AbortSignal; readonly isStopped?: boolean };
  /** Who calls: lists, rights, jobs and the audit depend on it. */
  readonly caller: Caller;
  /** Address of the client, for the audit. */
  readonly address?: string;
  /** The client's id of the call. */
  readonly requestId?: string | number;
  /** Metadata that the client sent with the call. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Where the call belongs in the trace of its client (W3C Trace Context). */
  readonly traceparent?: string;
  /** The revision of MCP by which the call came, for its span. */
  readonly protocolVersion?: string;
  /** Called with the progress of the call. */
  readonly onProgress?: (update: ProgressUpdate) => void;
  /**
   * Called with the output of the call's commands as it arrives. If it returns a promise, no more of
   * that stream is read until it resolves.
   */
  readonly onOutput?: (event: OutputEvent) => void | Promise<void>;
  /** Whether its result is bounded as the answer of a call over MCP. @default {only over MCP} */
  readonly asAnswer?: boolean | undefined;
  /** Makes a job of the call; absent where it can't become one. */
  readonly job?: CallJob | undefined;
  /** Asks the user of the client; absent if nobody can be asked. */
  readonly ask?: AskUser;
  /** Whether the user can be asked; otherwise `ask`, if there is one, rejects. @default {false} */
  readonly canAsk?: boolean;
  /** Passes on a notification of the tool to the client. */
  readonly onNotification?: (notification: CallNotification) => Promise<void>;
}

/** The client of a call, which can ask its user until the signal aborts. */
export interface AskingClient {
  /** Asks its user. */
  readonly ask: AskUser;
  /** Aborts when it can no longer be asked. */
  readonly signal: AbortSignal;
}

/**
 * The tools as a transport sees them; limits, validation, errors and audit are behind this
 * interface.
 */
export interface ToolService {
  /** How many tools a caller may use; those that come with the server need not be loaded for it. */
  count(caller: Caller): Promise<number>;
  /** The tools that a caller may use, in a fixed order. */
  list(caller: Caller): Promise<readonly ToolDefinition[]>;
  /**
   * One tool, or `undefined` if no tool has the name or the caller may not use it. One that comes with
   * the server is loaded when it is first asked for.
   */
  find(name: string, caller: Caller): Promise<ToolDefinition | undefined>;
  /** What the tools of a caller read as resources, in a fixed order. */
  resources(caller: Caller): Promise<readonly ToolResource[]>;
  /** Carries out one call; never rejects. */
  call(name: string, input: unknown, options: CallOptions): Promise<CallOutcome>;
}

/** A call that runs and may become a job: afterwards call either `keep()` or `forget()`. */
export interface KeepableCall {
  /** How it ended; never rejects. */
  readonly outcome: Promise<CallOutcome>;
  /**
   * Stores the call as a job, with its output so far, and from now on with what it asks. Rejects with
   * `BUSY` if too many are live.
   */
  keep(questions?: Questions): Promise<Job>;
  /** Removes what is stored of a call that was answered without a job; never rejects. */
  forget(): Promise<void>;
  /** Stops it, with all processes. */
  stop(): void;
}

/** A call as its transport passes it on; who stops it is up to the transport. */
export type KeepableOptions = Omit<CallOptions, "client" | "caller" | "job">;

/** The jobs of one caller as a transport sees them. */
export interface CallerJobs extends JobService {
  /**
   * How the job ended, as the outcome of a plain call: the whole result, or the refusal;
   * `undefined` while it is live. A lost job is a refusal of the kind `JOB_LOST`.
   */
  outcome(id: string): Promise<CallOutcome | undefined>;
  /** What is kept of the call of a job; nothing for a job of an older version. */
  argsOf(id: string): Promise<Pick<Job, "args" | "argsMasked" | "tty">>;
  /** Reads output of both streams as it was stored, the end of it by default. */
  readMerged(id: string, request: MergedRequest): Promise<MergedOutput>;
  /**
   * Carries out a call that may become a job, with the limits of jobs. Rejects with a `JobError`: with
   * the `refusal` of a plain call, and with `JOBS_UNAVAILABLE` if no jobs can be kept.
   */
  call(tool: string, args: unknown, options: KeepableOptions): Promise<KeepableCall>;
  /**
   * Answers `questions` of a live job, wherever it runs: a reply of MCP for each key. Others have no
   * effect, nor have those that approve the call unless the transport is MCP. Rejects as `writeStdin()`
   * does if the caller may not, and with `JOB_NOT_RUNNING` once it has ended.
   */
  answer(id: string, replies: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Carries out the jobs of all callers. */
export interface JobHost {
  /** Whether this server takes jobs. */
  readonly state: ServerState;
  /** Whether servers of other machines share the jobs. */
  readonly isShared: boolean;
  /**
   * The jobs of one caller; the address of its client and its transport are for the audit.
   * `transport` is `"embedded"` by default. With `asking`, jobs that need approval may get it from the
   * user of that client before they are created.
   */
  forCaller(
    caller: Caller,
    address?: string,
    transport?: Transport,
    asking?: AskingClient,
  ): CallerJobs;
  /**
   * The servers that share the jobs and are alive; only this one where jobs aren't shared. Rejects with
   * a `JobError` if the store can't be used.
   */
  servers(): Promise<readonly FleetServer[]>;
}

/** The result of loading one tool file. */
export interface LoadReport {
  /** The name of the file without its extension. */
  readonly toolName: string;
  /** Path of the file. */
  readonly file: string;
  /** Why the file was skipped; absent if its tool is registered as it is. */
  readonly problem?: string;
}

/** What a reload did with one tool file. */
export interface ReloadReport extends LoadReport {
  /**
   * `loaded`: its new content is used. `unchanged`: neither the file nor what it imports has
   * changed. `kept`: the new content can't be used, so the old tool is. `skipped`: it can't be used,
   * and there is no old tool. `removed`: the file is gone, and its tool too.
   */
  readonly state: "loaded" | "unchanged" | "kept" | "skipped" | "removed";
}

/** Loads the changed tools of the folders; rejects if a folder can't be read. */
export type ReloadTools = () => Promise<readonly ReloadReport[]>;

/** How a request for the operator's figures is answered. */
export interface MetricsText {
  /** Media type with the version of the format. */
  readonly contentType: string;
  /** The metrics, one line for each value. */
  readonly text: string;
}

/** Counts what the server does; it never fails, and costs a few microseconds. */
export interface Meter {
  /** A call has ended: `ok`, or the kind of its refusal. */
  called(call: EndedCall): void;
  /** A request was rejected before it became a call. */
  refused(reason: string): void;
  /** A command of a call has ended. */
  ran(tool: string, end: CommandEnd): void;
  /** A command was stopped, and so many of its processes are left. */
  stopped(survivors: number): void;
  /** Tools were loaded again. */
  reloaded(outcome: "loaded" | "kept", count: number): void;
  /** Everything that was counted, in the text format of Prometheus. */
  render(): Promise<MetricsText>;
}

/** A call, as it is counted. */
export interface EndedCall {
  /** Name of a registered tool; another name is counted as `unknown`. */
  readonly tool: string | undefined;
  /** The way by which it came in. */
  readonly transport: Transport;
  /** `ok`, or the kind of its refusal. */
  readonly outcome: string;
  /** How long it took. */
  readonly seconds: number;
}
