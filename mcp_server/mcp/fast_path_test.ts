import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import type { McpServer } from "@modelcontextprotocol/server";
import { DEFAULT_CALLER } from "../access/caller.ts";
import { isJsonObject } from "../shared/json.ts";
import type { CallOptions, ToolService } from "../tool/service.ts";
import { createApp, parseConfig } from "../mod.ts";
import { type SentCall, toolCallArbitrary } from "../testing/tool_call_arbitrary.ts";
import type { Sender } from "../http/http_server.ts";
import type { McpCaller } from "./mcp_caller.ts";
import { createMcpHttpTransport } from "./mcp_http.ts";
import { createMcpServerFactory } from "./mcp_server.ts";

const TOOLS = fileURLToPath(new URL("../testdata/fast_path_tools", import.meta.url));
const RUNS = Number(Deno.env.get("PROPERTY_RUNS") ?? 250);
const SERVER_INFO = { name: "test", title: "Test", version: "1", websiteUrl: "https://x.invalid" };
const QUIET = ["--audit-file", "/dev/null", "--log-level", "error"];
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

const SENDER: Sender = {
  caller: DEFAULT_CALLER,
  remoteAddr: { hostname: "127.0.0.1", port: 1 },
  overHttp2: false,
  client: new AbortController(),
  occupy: () => new DisposableStack(),
  rejectWithout: () => undefined,
  exchange: {
    completed: Promise.resolve(),
    ofCaller() {},
    expectBody() {},
    expectReader() {},
    expectNothing() {},
  },
};

for (const revision of ["2026-07-28", "2025-11-25"]) {
  Deno.test(`MCP ${revision}: the fast path answers and calls exactly as the SDK does`, async () => {
    await using server = await createServer();
    await fc.assert(
      fc.asyncProperty(toolCallArbitrary(revision === "2026-07-28"), async (sent) => {
        const answer = await server.answer(sent);
        const calls = server.calls.splice(0).map(describe);
        deepStrictEqual(answer, await server.answer(viaSdk(sent)));
        deepStrictEqual(calls, server.calls.splice(0).map(describe));
      }),
      { numRuns: RUNS },
    );
  });

  Deno.test(`MCP ${revision}: plain calls need no server of the SDK, others do`, async () => {
    await using server = await createServer();
    const plain = { result: { content: [{ type: "text", text: "a" }], structuredContent: {} } };
    const image = { content: [{ type: "image", data: "aGk=", mimeType: "image/png" }] };
    const token = { progressToken: 1 };
    const expected: [object, object, number][] = [
      [plain, {}, 0],
      [plain, token, 0],
      [{ ...plain, steps: ["report"] }, {}, 0],
      [{ ...plain, steps: ["report"] }, token, 1],
      [{ ...plain, steps: ["log"] }, {}, 1],
      [{ ...plain, steps: ["wait"] }, {}, 1],
      [{ ...plain, steps: ["fail"] }, {}, 1],
      [{ result: image }, {}, 1],
    ];
    for (const [args, meta, servers] of expected) {
      const { text } = await server.answer(toCall(revision, args, { meta }));
      match(text, /"id":1|"jsonrpc":"2.0"}/);
      strictEqual(server.created.splice(0).length, servers, JSON.stringify([args, meta]));
    }
  });
}

Deno.test("MCP: many reports before the SDK listens arrive, in order, as from the SDK", async () => {
  await using server = await createServer();
  const sent = toCall("2025-11-25", { steps: ["flood"], result: { content: [] } }, {
    meta: { progressToken: 1 },
  });
  const { text } = await server.answer(sent);
  strictEqual(text, (await server.answer(viaSdk(sent))).text);
  const seen = [...text.matchAll(/"(?:progress|log) (\d+)"/g)].map(([, at]) => Number(at));
  const each = Array.from({ length: 500 }, (_, at) => at);
  deepStrictEqual(seen, [...each, ...each]);
});

Deno.test("MCP 2026-07-28: log messages that the client does not request leave room for its progress", async () => {
  await using server = await createServer();
  for (const level of [undefined, "warning"]) {
    const meta = { progressToken: 1, "io.modelcontextprotocol/logLevel": level };
    const args = { steps: ["chat"], result: { content: [] } };
    const { text } = await server.answer(toCall("2026-07-28", args, { meta }));
    strictEqual([...text.matchAll(/"message":"after it"/g)].length, 1, text.slice(0, 1_000));
  }
});

Deno.test("MCP: a large answer of a plain call is the SDK's, and has a length", async () => {
  await using server = await createServer();
  const result = { content: [{ type: "text", text: "ä\n".repeat(100_000) }] };
  const sent = toCall("2026-07-28", { result });
  const [plain, other] = [await server.answer(sent), await server.answer(viaSdk(sent))];
  strictEqual(plain.text, other.text);
  const { length } = new TextEncoder().encode(plain.text);
  const headers = new Map([...other.headers, ["content-length", `${length}`]]);
  deepStrictEqual(new Map(plain.headers), headers);
});

Deno.test("MCP 2026-07-28: a question of a plain call is asked, and its call continues", async () => {
  await using server = await createServer();
  const capabilities = { elicitation: {} };
  const connection = new AbortController();
  const sent = toCall("2026-07-28", { steps: ["ask"] }, { capabilities });
  const { text } = await server.answer(sent, connection.signal);
  match(text, /"inputRequests":\{"question-1"/);
  strictEqual(server.calls.length, 1);
  connection.abort();
  strictEqual((await server.nextCall()).client.signal.aborted, false);
});

Deno.test("a plain call that is cancelled before its answer begins gets none", async () => {
  await using server = await createServer();
  const session = { "mcp-session-id": "a" };
  const { headers, body } = toCall("2025-11-25", { steps: ["stop"] });
  const answer = server.answer({ headers: { ...headers, ...session }, body });
  const { client } = await server.nextCall();
  const cancelled = { method: "notifications/cancelled", params: { requestId: 1 } };
  const cancel = { headers: { ...headers, ...session }, body: { jsonrpc: "2.0", ...cancelled } };
  strictEqual((await server.answer(cancel)).status, 202);
  strictEqual(client.signal.aborted, true);
  strictEqual((await answer).text, "");
});

Deno.test("a plain call whose client disconnects before its answer begins is stopped", async () => {
  await using server = await createServer();
  const connection = new AbortController();
  const answer = server.answer(toCall("2026-07-28", { steps: ["stop"] }), connection.signal);
  const { client } = await server.nextCall();
  connection.abort();
  strictEqual(client.signal.aborted, true);
  await answer;
});

Deno.test("a plain call is stopped if the SDK can't answer it after all", async () => {
  const fails = () => {
    throw new Error("no server");
  };
  await using server = await createServer(fails);
  const answer = server.answer(toCall("2026-07-28", { steps: ["stop"] }));
  const { client } = await server.nextCall();
  strictEqual((await answer).status, 500);
  strictEqual(client.signal.aborted, true);
});

Deno.test("a plain call is stopped if the transport is closed before its answer begins", async () => {
  await using server = await createServer();
  const answer = server.answer(toCall("2026-07-28", { steps: ["stop"] }));
  const { client } = await server.nextCall();
  await server.close();
  await rejects(answer);
  strictEqual(client.signal.aborted, true);
});

function toCall(
  revision: string,
  args: object,
  { meta = {}, capabilities = {} }: { meta?: object; capabilities?: object } = {},
): SentCall {
  const isModern = revision === "2026-07-28";
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const _meta = { ...meta, ...isModern ? envelope : {} };
  const params = { name: "act", arguments: args, _meta };
  return {
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": revision,
      ...isModern ? { "mcp-method": "tools/call", "mcp-name": "act" } : {},
    },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
  };
}

/** The same request for the SDK: it removes parameters that it does not know, the fast path refuses. */
function viaSdk({ headers, body }: SentCall): SentCall {
  if (!isJsonObject(body) || !isJsonObject(body.params)) return { headers, body };
  return { headers, body: { ...body, params: { ...body.params, "not-plain": true } } };
}

interface RecordedCall {
  readonly name: string;
  readonly input: unknown;
  readonly options: CallOptions;
}

/** What of a call must not depend on the way it came. */
function describe({ name, input, options }: RecordedCall) {
  const { transport, caller, address, requestId, meta, traceparent, ask } = options;
  const canAsk = ask !== undefined;
  return { name, input, transport, caller, address, requestId, meta, traceparent, canAsk };
}

/** The transport with real tools, which records calls and the servers of the SDK. */
async function createServer(replace?: (caller: McpCaller) => McpServer) {
  const args = ["--port", "0", "--tools", TOOLS, "--text-bytes", "1000000", ...QUIET];
  const config = parseConfig(args, {}, 2);
  const app = await createApp(config, { builtInTools: false });
  const calls: RecordedCall[] = [];
  const created: McpCaller[] = [];
  const called = Promise.withResolvers<CallOptions>();
  const service: ToolService = {
    count: (caller) => app.service.count(caller),
    list: (caller) => app.service.list(caller),
    find: (name, caller) => app.service.find(name, caller),
    resources: (caller) => app.service.resources(caller),
    call: (name, input, options) => {
      calls.push({ name, input, options });
      called.resolve(options);
      return app.service.call(name, input, options);
    },
  };
  const create = createMcpServerFactory({ ...app, service }, { ...SERVER_INFO, instructions: "" });
  const { handler, close } = createMcpHttpTransport({
    service,
    jobs: app.jobs,
    maxBodyBytes: 1_000_000,
    serverInfo: SERVER_INFO,
    createServer: (caller) => {
      created.push(caller);
      return (replace ?? create)(caller);
    },
    closing: new AbortController().signal,
    onError: () => {},
  });
  return {
    calls,
    created,
    close,
    /** Resolves when a tool is called. */
    nextCall: () => called.promise,
    answer: async ({ headers, body }: SentCall, signal?: AbortSignal) => {
      const request = new Request("http://localhost/mcp", {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
        ...(signal === undefined ? {} : { signal }),
      });
      const response = await handler(request, SENDER);
      const text = (await response.text()).replaceAll(UUID, "uuid");
      return { status: response.status, headers: [...response.headers], text };
    },
    [Symbol.asyncDispose]: async () => {
      await close();
      await app.close();
    },
  };
}
