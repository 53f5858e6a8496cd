import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { abortableFetch } from "./testing/abortable_fetch.ts";
import { serverCommand, startServer } from "./testing/server_process.ts";

const TOKEN = "t".repeat(32);

/** A tool that answers with a text of a module of its own, once the file `release` is there. */
const TOOL = `import { TEXT } from "../lib/text.ts";
export default ({ mcpServer, toolName }) => mcpServer.tool(toolName, "Says " + TEXT + ".", async () => {
  await Deno.writeTextFile(new URL("./started", import.meta.url), "");
  for (;;) {
    try { await Deno.stat(new URL("./release", import.meta.url)); break; } catch { await new Promise((r) => setTimeout(r, 20)); }
  }
  return { content: [{ type: "text", text: TEXT }] };
});`;

async function createTools() {
  const folder = await createTempFolder();
  const setText = (text: string) =>
    Deno.writeTextFile(`${folder.path}/lib/text.ts`, `export const TEXT: string = "${text}";`);
  await Deno.mkdir(`${folder.path}/lib`);
  await Deno.mkdir(`${folder.path}/tools`);
  await setText("one");
  await Deno.writeTextFile(`${folder.path}/tools/say.ts`, TOOL);
  return {
    tools: `${folder.path}/tools`,
    setText,
    started: async () => {
      for (const late = performance.now() + 30_000; performance.now() < late;) {
        const isThere = await Deno.stat(`${folder.path}/tools/started`).then(
          () => true,
          () => false,
        );
        if (isThere) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error("The tool has not started within 30 s");
    },
    release: () => Deno.writeTextFile(`${folder.path}/tools/release`, ""),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

function toClient(url: string) {
  const headers = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" };
  return {
    call: async (tool: string) => {
      const body = JSON.stringify({ tool });
      const response = await fetch(`${url}/api`, { method: "POST", headers, body });
      return await response.text();
    },
    reload: async () => {
      const response = await fetch(`${url}/api/admin/reload`, { method: "POST", headers });
      const { tools } = await response.json();
      return tools;
    },
  };
}

Deno.test("POST /api/admin/reload swaps a tool whose import has changed; running calls keep the old one", async () => {
  await using created = await createTools();
  const { tools, setText, started, release } = created;
  const env = { MCP_TOKEN: TOKEN, MCP_TOOLS_DIR: tools };
  await using server = await startServer({ env });
  const client = toClient(server.url);
  const running = client.call("say");
  await started();
  await setText("two");
  const file = `${tools}/say.ts`;
  deepStrictEqual(await client.reload(), [{ toolName: "say", file, state: "loaded" }]);
  deepStrictEqual(await client.reload(), [{ toolName: "say", file, state: "unchanged" }]);
  const later = client.call("say");
  await release();
  ok((await running).includes("one"), await running);
  ok((await later).includes("two"), await later);
  const refused = await fetch(`${server.url}/api/admin/reload`, { method: "POST" });
  strictEqual(refused.status, 401);
  await refused.body?.cancel();
});

Deno.test("SIGHUP loads changed tools, and a broken one keeps the old tool", async () => {
  await using created = await createTools();
  const { tools, release } = created;
  const env = { MCP_TOKEN: TOKEN, MCP_TOOLS_DIR: tools };
  await using server = await startServer({ env });
  await release();
  await Deno.writeTextFile(`${tools}/say.ts`, "export default (");
  server.process.kill("SIGHUP");
  await server.logged(/tool not reloaded.*"state":"kept"/);
  ok((await toClient(server.url).call("say")).includes("one"));
  await Deno.remove(`${tools}/say.ts`);
  server.process.kill("SIGHUP");
  await server.logged(/"state":"removed"/);
  ok((await toClient(server.url).call("say")).includes("UNKNOWN_TOOL"));
});

Deno.test("a job that is not started again for its key does not hold a replaced tool", async () => {
  await using created = await createTools();
  const { tools } = created;
  const ended = `${tools}/ended`;
  const closing = (text: string) =>
    Deno.writeTextFile(
      `${tools}/closing.ts`,
      `export default ({ mcpServer, toolName, onShutdown }) => {
  onShutdown(() => Deno.writeTextFileSync(${JSON.stringify(ended)}, "${text}"));
  mcpServer.tool(toolName, "${text}.", () => ({ content: [] }));
};`,
    );
  await closing("one");
  const env = { MCP_TOKEN: TOKEN, MCP_TOOLS_DIR: tools, MCP_DATA_DIR: `${tools}/../data` };
  await using server = await startServer({ env });
  const headers = {
    "authorization": `Bearer ${TOKEN}`,
    "content-type": "application/json",
    "idempotency-key": "one",
    "prefer": "respond-async, wait=30",
  };
  for (const _time of [1, 2]) {
    const body = JSON.stringify({ tool: "closing" });
    const response = await fetch(`${server.url}/api`, { method: "POST", headers, body });
    await response.body?.cancel();
    strictEqual(response.status, 200);
  }
  await closing("two");
  await toClient(server.url).reload();
  strictEqual(await Deno.readTextFile(ended), "one");
});

async function connect(transport: Transport, mode: "legacy" | { pin: string }) {
  const lists: (readonly string[])[] = [];
  const listed = Promise.withResolvers<void>();
  const client = new Client({ name: "watching", version: "1.0.0" }, {
    versionNegotiation: { mode },
    listChanged: {
      tools: {
        debounceMs: 0,
        onChanged: (_error, changed) => {
          lists.push((changed ?? []).flatMap(({ name, description }) => {
            return name === "say" ? [description ?? ""] : [];
          }));
          listed.resolve();
        },
      },
    },
  });
  await client.connect(transport);
  return { client, lists, listed: listed.promise };
}

for (
  const [name, overHttp, mode] of [
    ["2026-07-28 over HTTP", true, { pin: "2026-07-28" }],
    ["2026-07-28 over stdio", false, { pin: "2026-07-28" }],
    ["2025-11-25 over stdio", false, "legacy"],
  ] as const
) {
  Deno.test(`MCP_WATCH_TOOLS notifies clients of a changed import: ${name}`, async () => {
    await using created = await createTools();
    const { tools, setText } = created;
    const env = { MCP_TOOLS_DIR: tools, MCP_WATCH_TOOLS: "1" };
    await using stack = new AsyncDisposableStack();
    const transport = overHttp
      ? new StreamableHTTPClientTransport(
        new URL(`${stack.use(await startServer({ env })).url}/mcp`),
        { fetch: abortableFetch },
      )
      : new StdioClientTransport({
        ...serverCommand({ env, args: ["--stdio"] }),
        stderr: "ignore",
      });
    const { client, lists, listed } = await connect(transport, mode);
    stack.defer(() => client.close());
    const { ttlMs = 0 } = await client.listTools();
    ok(Number(ttlMs) <= 10_000, `${ttlMs}`);
    await setText("two");
    await listed;
    deepStrictEqual(lists, [["Says two."]]);
  });
}
