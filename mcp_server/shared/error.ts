import type { JsonValue } from "./json.ts";

/**
 * A failure that the caller can act on: a missing file, an interpreter that is not installed. Its
 * message reaches the caller unchanged; any other error that a tool throws is reported as a crash,
 * without its text.
 *
 * @example
 * ```ts
 * import { ToolError } from "@trestle/mcp-server/toolkit";
 *
 * const error = new ToolError('Cannot read "/etc": it is a folder', { code: "NOT_A_FILE" });
 * console.log(error.code); // "NOT_A_FILE"
 * ```
 */
export class ToolError extends Error {
  /** Name of the error class. */
  override readonly name: string = "ToolError";
  /** Stable name of the failure, for callers that branch on it. @default {"TOOL_FAILED"} */
  readonly code: string;

  /** Takes the message for the caller, and a stable code if callers may branch on it. */
  constructor(message: string, options: { code?: string; cause?: unknown } = {}) {
    const { code = "TOOL_FAILED", cause } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/**
 * A failure that MCP clients get as a JSON-RPC error and not as the result of the tool: the request
 * itself was wrong, not its execution. Other callers get it as any `ToolError`.
 */
export class JsonRpcError extends ToolError {
  /** Name of the error class. */
  override readonly name: string = "JsonRpcError";
  /** The number of the error, such as -32602 for wrong parameters. */
  readonly rpcCode: number;
  /** What programs may want to know about it. */
  readonly data: JsonValue | undefined;

  /** Takes the message for the caller, the number of the error, and what else is known. */
  constructor(message: string, options: { rpcCode: number; code?: string; data?: JsonValue }) {
    super(message, options);
    this.rpcCode = options.rpcCode;
    this.data = options.data;
  }
}

/**
 * A failure of an argument that fits the schema and yet not the call, such as one of two that exclude
 * each other. The caller gets it as it gets what the schema refuses: with the code
 * `INVALID_ARGUMENTS`, and with the argument among the issues.
 */
export class ArgumentsError extends ToolError {
  /** Name of the error class. */
  override readonly name: string = "ArgumentsError";
  /** Name of the argument. */
  readonly argument: string;

  /** The message is for the caller. */
  constructor(message: string, options: { argument: string }) {
    super(message, { code: "INVALID_ARGUMENTS" });
    this.argument = options.argument;
  }
}

/** A refusal by policy: the caller may not do this, whatever else it sends. */
export class NotAllowedError extends ToolError {
  /** Name of the error class. */
  override readonly name: string = "NotAllowedError";

  /** Takes the message for the caller, which names the rule and what it allows. */
  constructor(message: string) {
    super(message, { code: "NOT_ALLOWED" });
  }
}

/** Thrown if all permits are taken and the queue is full; the caller may try again later. */
export class BusyError extends ToolError {
  /** Name of the error class. */
  override readonly name: string = "BusyError";
  /** How long to wait before the next try, in seconds. */
  readonly retryAfterSeconds: number;

  /** Takes the message for the caller and the seconds to wait before the next try. */
  constructor(message: string, retryAfterSeconds: number) {
    super(message, { code: "BUSY" });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A value for a message: in quotes, on one line, and cut to so many characters. */
export function quote(value: string, most: number = 100): string {
  return JSON.stringify(value.length > most ? `${value.slice(0, most)}...` : value);
}
