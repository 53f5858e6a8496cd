import type { OutputEvent } from "./command.ts";
import type { ToolResult } from "./result.ts";
import type { CallNotification, Issue, ProgressUpdate, ToolDefinition } from "./tool.ts";

/** The way by which a call came in. */
export type Transport = "http" | "mcp-http" | "mcp-stdio" | "embedded";

/** Why a call was not carried out, or not to its end. */
export type RefusalCode =
  | "UNKNOWN_TOOL"
  | "INVALID_ARGUMENTS"
  | "BUSY"
  | "CANCELLED"
  | "SHUTTING_DOWN"
  | "TOOL_FAILED"
  | "TOOL_CRASHED";

/** A refusal as a value; each transport puts it into its own protocol's words. */
export interface Refusal {
  /** Which kind of refusal it is. */
  readonly kind: RefusalCode;
  /** Stable name of the failure: the kind, or the tool's own code where it gave one. */
  readonly code: string;
  /** What was wrong, with which value, and what to do; free of the server's secrets. */
  readonly message: string;
  /** What is wrong with each argument. */
  readonly issues?: readonly Issue[];
  /** How many arguments, or parts of them, are wrong beside these. */
  readonly moreIssues?: number;
  /** When to try again, where the server is busy. */
  readonly retryAfterSeconds?: number;
}

/** What became of a call. */
export type CallOutcome =
  | { readonly ok: true; readonly result: ToolResult }
  | {
    readonly ok: false;
    readonly refusal: Refusal;
    /** The tool's own answer, where it told of its failure by one. */
    readonly result?: ToolResult;
  };

/** Who calls, how the call is stopped, and what the caller wants to hear while it runs. */
export interface CallOptions {
  /** The way by which the call came in. */
  readonly transport: Transport;
  /**
   * Whose signal stops the call: a `Request`, an `AbortController`, or the like. It is asked for the
   * signal only where the call can be stopped.
   */
  readonly client: { readonly signal: AbortSignal };
  /** Digest prefix of the caller's token, for the audit. */
  readonly caller?: string;
  /** The id that the client gave the call. */
  readonly requestId?: string | number;
  /** Metadata that the client sent with the call. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Hears how far the call is. */
  readonly onProgress?: (update: ProgressUpdate) => void;
  /** Hears the output of the call's commands as it comes. */
  readonly onOutput?: (event: OutputEvent) => void;
  /** Passes a notification of the tool on to the client. */
  readonly onNotification?: (notification: CallNotification) => Promise<void>;
}

/** All that a transport knows of the tools; limits, validation, errors and audit lie behind it. */
export interface ToolService {
  /** Every tool, in a fixed order. */
  list(): readonly ToolDefinition[];
  /** One tool, or `undefined` where no tool has the name. */
  find(name: string): ToolDefinition | undefined;
  /** Carries out one call; never rejects. */
  call(name: string, input: unknown, options: CallOptions): Promise<CallOutcome>;
}
