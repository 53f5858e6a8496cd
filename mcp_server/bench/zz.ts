import { requestsPerSecond, toRequest } from "./load.ts";
import { start } from "./started.ts";
await using one = await start("./echo_server.ts", ["1"]);
const body = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: {
    name: "echo-0",
    arguments: { text: "hello" },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "x", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
};
const r = toRequest(one.url, "/mcp", body, {
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": "echo-0",
});
for (let i = 0; i < 4; i++) console.log(await requestsPerSecond(one.url, r));
