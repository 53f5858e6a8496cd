import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";

/** The MCP SDK alone: an echo with its own tools and nothing around it. */
const handler = createMcpHandler(() => {
  const server = new McpServer({ name: "bench", version: "1" });
  server.registerTool("echo-0", { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  return server;
});
const server = Deno.serve(
  { port: 0, hostname: "127.0.0.1", onListen: () => {} },
  async (request) => await handler.fetch(request),
);
console.log(`http://127.0.0.1:${server.addr.port}`);
