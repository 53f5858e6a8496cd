import { Buffer } from "node:buffer";
import { deserializeMessage, type JSONRPCMessage } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { isJsonObject } from "../shared/json.ts";
import type { MessageSpans } from "./message_spans.ts";

/** At a longer message, clients of the MCP SDK close the connection, with all running calls. */
const MOST_MESSAGE_BYTES = 10 * 1024 * 1024;
const INTERNAL_ERROR = -32_603;
const INVALID_REQUEST = -32_600;

/** A response with a result, as the SDK types it. */
type ResultMessage = Extract<JSONRPCMessage, { readonly result: unknown }>;

/**
 * The SDK's transport over stdio, which reads whole lines, and answers with an error where the SDK
 * says nothing: if a request is not one of JSON-RPC, and if a result is too long.
 */
export class StdioTransport extends StdioServerTransport {
  /** The spans of its messages, if they are traced. */
  spans: MessageSpans | undefined;

  /** Reads one line; the SDK leaves a request that it can't parse without an answer. */
  override _ondata = (line: Buffer): void => {
    const text = line.toString();
    try {
      const message = deserializeMessage(text);
      this.spans?.received(message);
      this.onmessage?.(message);
    } catch (error) {
      if (error instanceof Error) this.onerror?.(error);
      const id = requestIdOf(text);
      if (id === undefined) return;
      const fault = { code: INVALID_REQUEST, message: NOT_A_REQUEST };
      this.send({ jsonrpc: "2.0", id, error: fault }).catch(this._onerror);
    }
  };

  /** Sends a message, or the error that it is too long. */
  override send(message: JSONRPCMessage): Promise<void> {
    const sent = withinLimit(message);
    this.spans?.sent(sent);
    return super.send(sent);
  }
}

function withinLimit(message: JSONRPCMessage): JSONRPCMessage {
  if (!("result" in message)) return message;
  const size = Buffer.byteLength(JSON.stringify(message));
  return size < MOST_MESSAGE_BYTES ? message : tooLong(message, size);
}

const NOT_A_REQUEST = "Cannot read the request: it has a member that JSON-RPC does not know, or " +
  '"params" that are not as MCP says';

/** The id of what should be a request; `undefined` if nobody waits for its answer. */
function requestIdOf(text: string): string | number | undefined {
  const message = tryParse(text);
  if (!isJsonObject(message) || message.jsonrpc !== "2.0") return undefined;
  const { id, method } = message;
  const isId = typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id));
  return isId && typeof method === "string" ? id : undefined;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
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
