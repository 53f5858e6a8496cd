import type { Caller } from "../access/caller.ts";
import type { OutputEvent } from "./command.ts";
import type { JsonValue } from "../shared/json.ts";
import type { AskUser } from "./question.ts";
import type { ToolResult } from "./result.ts";
import type { CallNotification, Issue, ProgressUpdate, ToolDefinition } from "./tool.ts";

/** The transport of a call. */
export type Transport = "http" | "mcp-http" | "mcp-stdio" | "embedded" | "job";

/** Why a call was not carried out, or not completed. */
export type RefusalCode =
  | "UNKNOWN_TOOL"
  | "INVALID_ARGUMENTS"
  | "NOT_ALLOWED"
  | "BUSY"
  | "CANCELLED"
  | "SHUTTING_DOWN"
  | "TOOL_FAILED"
  | "TOOL_CRASHED"
  | "JOB_LOST";

/** A refusal as a value; each transport expresses it in its own protocol. */
export interface Refusal {
  /** The kind of refusal. */
  readonly kind: RefusalCode;
  /** Stable name of the failure: the kind, or the tool's own code if it set one. */
  readonly code: string;
  /** What was wrong, with which value, and what to do; free of the server's secrets. */
  readonly message: string;
  /** What is wrong with each argument. */
  readonly issues?: readonly Issue[];
  /** How many more arguments, or parts of them, are wrong. */
  readonly moreIssues?: number;
  /** When to try again, if the server is busy. */
  readonly retryAfterSeconds?: number;
  /** The error that MCP clients get, if the tool threw a `JsonRpcError`. */
  readonly rpcError?: { readonly code: number; readonly data?: JsonValue };
}

/** The outcome of a call. */
export type CallOutcome =
  | { readonly ok: true; readonly result: ToolResult }
  | {
    readonly ok: false;
    readonly refusal: Refusal;
    /** The tool's own result, if it reported its failure in one. */
    readonly result?: ToolResult;
  };

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
  /** Asks the user of the client; absent if nobody can be asked. */
  readonly ask?: AskUser;
  /** Passes on a notification of the tool to the client. */
  readonly onNotification?: (notification: CallNotification) => Promise<void>;
}

/**
 * The tools as a transport sees them; limits, validation, errors and audit are behind this
 * interface.
 */
export interface ToolService {
  /** The tools that a caller may use, in a fixed order. */
  list(caller: Caller): readonly ToolDefinition[];
  /** One tool, or `undefined` if no tool has the name or the caller may not use it. */
  find(name: string, caller: Caller): ToolDefinition | undefined;
  /** Carries out one call; never rejects. */
  call(name: string, input: unknown, options: CallOptions): Promise<CallOutcome>;
}
