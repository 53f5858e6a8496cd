import { Buffer } from "node:buffer";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

/** At a longer message, clients of the MCP SDK close the connection, with all running calls. */
const MOST_MESSAGE_BYTES = 10 * 1024 * 1024;
const INTERNAL_ERROR = -32_603;

/** A response with a result, as the SDK types it. */
type ResultMessage = Extract<JSONRPCMessage, { readonly result: unknown }>;

/** The SDK's transport over stdio, which answers with an error where the result is too long. */
export class StdioTransport extends StdioServerTransport {
  /** Sends a message, or the error that it is too long. */
  override send(message: JSONRPCMessage): Promise<void> {
    if (!("result" in message)) return super.send(message);
    const size = Buffer.byteLength(JSON.stringify(message));
    return super.send(size < MOST_MESSAGE_BYTES ? message : tooLong(message, size));
  }
}

/** What replaces a result: that of a tool is an error of the tool, which the model gets to read. */
function tooLong({ id, jsonrpc, result }: ResultMessage, size: number): JSONRPCMessage {
  const text = `Cannot answer over stdio: the message has ${size} bytes, and clients of the MCP ` +
    `SDK close the connection at more than ${MOST_MESSAGE_BYTES}; ask for less at once, or call ` +
    "over HTTP";
  if (!("content" in result)) {
    return { jsonrpc, id, error: { code: INTERNAL_ERROR, message: text } };
  }
  const { resultType } = result;
  const content = [{ type: "text", text }];
  const era = resultType === undefined ? {} : { resultType };
  return { jsonrpc, id, result: { ...era, content, isError: true } };
}
