import type { Readable, Writable } from "node:stream";
import type { McpServer } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { McpCaller } from "./mcp_server.ts";

/** The streams of the client at the other end. */
export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Serves MCP over stdio until the client closes our input; resolves then. */
export async function serveMcpOverStdio(
  createServer: (caller: McpCaller) => McpServer,
  { input, output }: StdioStreams,
  onError: (error: unknown) => void,
): Promise<void> {
  const ended = Promise.withResolvers<void>();
  input.once("end", ended.resolve).once("close", ended.resolve);
  output.once("error", () => ended.resolve());
  const connection = serveStdio(() => createServer({ door: "mcp-stdio" }), {
    transport: new StdioServerTransport(input, output),
    onerror: onError,
  });
  await ended.promise;
  await connection.close();
}
