import { match } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { serverCommand, startServer } from "../testing/server_process.ts";

const TOOLS = fileURLToPath(new URL("../testdata/conformance_tools", import.meta.url));

Deno.test("extra.ask() reaches an older client over stdio by elicitation/create", async () => {
  const { command, args, env } = serverCommand({ args: ["--tools", TOOLS, "--stdio"] });
  const program = { command, args, env: { ...Deno.env.toObject(), ...env } };
  match(await callWith(new StdioClientTransport({ ...program, stderr: "ignore" })), /for Ada/);
});

Deno.test("extra.ask() is refused to an older client over HTTP", async () => {
  await using server = await startServer({ args: ["--tools", TOOLS] });
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`));
  match(await callWith(transport), /Cannot ask the user/);
});

/** Calls a tool that asks for a name with a client of 2025-11-25; returns what the call answers. */
async function callWith(transport: Transport): Promise<string> {
  const client = new Client({ name: "older", version: "1.0.0" }, {
    capabilities: { elicitation: {} },
    versionNegotiation: { mode: "legacy" },
  });
  client.setRequestHandler("elicitation/create", () => ({
    action: "accept",
    content: { name: "Ada" },
  }));
  await client.connect(transport);
  try {
    return JSON.stringify(await client.callTool({ name: "test_tool_with_task", arguments: {} }));
  } finally {
    await client.close();
  }
}
