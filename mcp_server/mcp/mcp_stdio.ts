import { Buffer } from "node:buffer";
import { once } from "node:events";
import { Readable, type Writable } from "node:stream";
import {
  deserializeMessage,
  type JSONRPCMessage,
  type McpServer,
} from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { StartMessageSpan } from "../tool/tracing.ts";
import type { Caller } from "../access/caller.ts";
import { type Backlog, MOST_WAITING } from "../http/body.ts";
import { MessageSpans } from "./message_spans.ts";
import type { McpCaller } from "./mcp_caller.ts";
import { isJsonObject } from "../shared/json.ts";

/** How a client over stdio is served. */
export interface StdioOptions {
  /** Who calls; its rights may change. */
  readonly caller: Caller;
  /** Longest message that is read, in bytes; a longer one is answered with an error and skipped. */
  readonly maxLineBytes: number;
  readonly onError: (error: unknown) => void;
  /** Calls a listener when the list of tools has changed, until it is disposed of. */
  readonly onToolsChanged: (listener: () => void) => Disposable;
  /** Begins the span of a message. @default {messages are not traced} */
  readonly startMessage?: StartMessageSpan | undefined;
}

/** Bytes of answers that may wait for the client; nothing more is read from it until it reads. */
const MOST_UNREAD = 64 * 1024 * 1024;
const INVALID_REQUEST = -32_600;

/** Serves MCP over stdio until the client closes its end; then resolves. */
export async function serveMcpOverStdio(
  createServer: (caller: McpCaller) => McpServer,
  { input, output }: { readonly input: Readable; readonly output: Writable },
  { caller, maxLineBytes, onError, onToolsChanged, startMessage }: StdioOptions,
): Promise<void> {
  const onTooLong = () => void output.write(tooLongLine(maxLineBytes));
  const lines = Readable.from(
    heldBack(readLines(input, { maxBytes: maxLineBytes, onTooLong }), output),
  );
  const ended = Promise.withResolvers<void>();
  lines.once("end", ended.resolve).once("close", ended.resolve).on("error", onError);
  output.once("error", () => ended.resolve());
  const backlog = backlogOf(output);
  const transport = "mcp-stdio";
  const spans = startMessage && new MessageSpans(startMessage, { transport });
  const handOver = spans?.handOver;
  const who = { transport, caller, backlog, handOver } as const;
  // The transport's own limit would end the session.
  const limits = { maxBufferSize: Infinity };
  const wire = new StdioTransport(lines, output, limits);
  wire.spans = spans;
  // The last server that was created serves the connection.
  let server: McpServer | undefined;
  using _listener = onToolsChanged(() => void server?.server.sendToolListChanged().catch(onError));
  const connection = serveStdio(({ era }) => server = createServer({ ...who, era }), {
    transport: wire,
    onerror: onError,
  });
  await ended.promise;
  await connection.close();
  spans?.close();
}

/** Continues reading only while the client reads the answers. */
async function* heldBack<Line>(
  lines: AsyncIterable<Line>,
  output: Writable,
): AsyncGenerator<Line, void> {
  for await (const line of lines) {
    if (output.writableLength > MOST_UNREAD) await once(output, "drain");
    yield line;
  }
}

function backlogOf(output: Writable): Backlog {
  return {
    get isFull() {
      return output.writableLength >= MOST_WAITING;
    },
    add: () => {},
  };
}

function tooLongLine(maxBytes: number): string {
  const message = `Cannot read a message of more than ${maxBytes} bytes: it was skipped; ` +
    "send less at once, or raise MCP_MAX_BODY_BYTES";
  return `${
    JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: INVALID_REQUEST, message } })
  }\n`;
}

/** At a longer message, clients of the MCP SDK close the connection, with all running calls. */
const MOST_MESSAGE_BYTES = 10 * 1024 * 1024;
const INTERNAL_ERROR = -32_603;

/** A response with a result, as the SDK types it. */
type ResultMessage = Extract<JSONRPCMessage, { readonly result: unknown }>;

/**
 * The SDK's transport over stdio, which reads whole lines, and answers with an error where the SDK
 * says nothing: if a request is not one of JSON-RPC, and if a result is too long.
 */
class StdioTransport extends StdioServerTransport {
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
  return size < MOST_MESSAGE_BYTES ? message : tooLongResult(message, size);
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
function tooLongResult({ id, jsonrpc, result }: ResultMessage, size: number): JSONRPCMessage {
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

/** How long a line may be, and how longer ones are handled. */
interface LineOptions {
  /** In bytes, without the line end. */
  readonly maxBytes: number;
  /** Called once for each line that is longer; the line is skipped. */
  readonly onTooLong: () => void;
}

const LINE_FEED = 10;

/**
 * Yields whole lines with their line ends, and looks at each byte once; omits a last line without
 * an end.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes, onTooLong }: LineOptions,
): AsyncGenerator<Buffer, void> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length;) {
      const lineEnd = chunk.indexOf(LINE_FEED, start);
      const end = lineEnd < 0 ? chunk.length : lineEnd;
      const wasTooLong = size > maxBytes;
      size += end - start;
      if (size <= maxBytes) parts.push(chunk.subarray(start, end + 1));
      else if (!wasTooLong) {
        parts = [];
        onTooLong();
      }
      start = end + 1;
      if (lineEnd < 0) continue;
      if (size <= maxBytes) yield Buffer.concat(parts);
      parts = [];
      size = 0;
    }
  }
}
