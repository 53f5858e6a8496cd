import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { CallOutcome } from "../tool/result.ts";

/**
 * The outcome of a call as MCP answers it: a result, also of a tool that failed. Throws the JSON-RPC
 * error of a request that was wrong, or whose outcome nobody knows.
 */
export function toMcpResult(outcome: CallOutcome): CallToolResult {
  if (outcome.ok) return { ...outcome.result };
  const { refusal, result } = outcome;
  if (result !== undefined) return { ...result };
  const { kind, message, rpcError } = refusal;
  if (rpcError !== undefined) throw new ProtocolError(rpcError.code, message, rpcError.data);
  if (kind === "UNKNOWN_TOOL") throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  if (kind === "JOB_LOST") throw new ProtocolError(ProtocolErrorCode.InternalError, message);
  return { content: [{ type: "text", text: message }], isError: true };
}
