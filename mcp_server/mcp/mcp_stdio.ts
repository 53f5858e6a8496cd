import { once } from "node:events";
import { Readable, type Writable } from "node:stream";
import type { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { StartMessageSpan } from "../tool/call_span.ts";
import { DEFAULT_CALLER } from "../access/caller.ts";
import { type Backlog, MOST_WAITING } from "../http/response_body.ts";
import { MessageSpans } from "./message_spans.ts";
import type { McpCaller } from "./mcp_caller.ts";
import { readLines } from "../shared/read_lines.ts";
import { StdioTransport } from "./stdio_transport.ts";

/** The streams of the client at the other end. */
export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** How a client over stdio is served. */
export interface StdioOptions {
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
  { input, output }: StdioStreams,
  { maxLineBytes, onError, onToolsChanged, startMessage }: StdioOptions,
): Promise<void> {
  const onTooLong = () => void output.write(tooLong(maxLineBytes));
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
  const caller = { transport, caller: DEFAULT_CALLER, backlog, handOver } as const;
  // The transport's own limit would end the session.
  const limits = { maxBufferSize: Infinity };
  const wire = new StdioTransport(lines, output, limits);
  wire.spans = spans;
  // The last server that was created serves the connection.
  let server: McpServer | undefined;
  using _listener = onToolsChanged(() => void server?.server.sendToolListChanged().catch(onError));
  const connection = serveStdio(({ era }) => server = createServer({ ...caller, era }), {
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

function tooLong(maxBytes: number): string {
  const message = `Cannot read a message of more than ${maxBytes} bytes: it was skipped; ` +
    "send less at once, or raise MCP_MAX_BODY_BYTES";
  return `${
    JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: INVALID_REQUEST, message } })
  }\n`;
}
