import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import * as z from "zod";
import { startServer } from "./testing/server_process.ts";
import { startStdioSession } from "./testing/stdio_session.ts";

const SECRET = "s3cret-argument";
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const CLIENT = `00-${TRACE}-b7ad6b7169203331-01`;

const Spans = z.object({
  resourceSpans: z.array(z.object({
    scopeSpans: z.array(z.object({
      spans: z.array(z.object({
        traceId: z.string(),
        spanId: z.string(),
        parentSpanId: z.string(),
        name: z.string(),
        kind: z.number(),
        startTimeUnixNano: z.union([z.string(), z.number()]),
        attributes: z.array(z.object({
          key: z.string(),
          value: z.object({ stringValue: z.string().optional() }),
        })),
        status: z.object({ code: z.number() }),
      })),
    })),
  })),
});

/** Receives what Deno exports (OTLP over HTTP, as JSON). */
function startCollector() {
  const received: string[] = [];
  const bodies: { path: string; text: string }[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      const text = await request.text();
      received.push(text);
      bodies.push({ path: pathname, text });
      return Response.json({});
    },
  );
  return {
    env: {
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.addr.port}`,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${SECRET}`,
    },
    all: () => received.join("\n"),
    /** The spans of MCP, in the order in which they began. */
    spans: () =>
      bodies.filter(({ path }) => path === "/v1/traces").flatMap(({ text }) =>
        Spans.parse(JSON.parse(text)).resourceSpans.flatMap(({ scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) => spans)
        )
      ).map(({ attributes, ...span }) => ({
        ...span,
        attributes: Object.fromEntries(
          attributes.map(({ key, value }) => [key, value.stringValue]),
        ),
      })).filter(({ attributes }) => attributes["mcp.method.name"] !== undefined)
        .toSorted((one, other) => Number(one.startTimeUnixNano) - Number(other.startTimeUnixNano)),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const PRINT = { commands: [{ command: `echo $TRACEPARENT; : ${SECRET}` }] };

Deno.test("calls over HTTP are spans of the client's trace, and their commands belong to them", async () => {
  await using collector = startCollector();
  const server = await startServer({ env: { ...collector.env, MCP_TOKEN: SECRET } });
  const call = async (tool: string, args: object) => {
    const response = await fetch(`${server.url}/api`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${SECRET}`,
        "Content-Type": "application/json",
        traceparent: CLIENT,
      },
      body: JSON.stringify({ tool, args }),
    });
    return await response.json();
  };
  const { results: [{ stdout }] } = await call("exec-command", PRINT);
  await call(`no-such-${SECRET}`, {});
  await call("read-file", { path: `/nowhere/${SECRET}` });
  await server.stop();
  const [ran, unknown, failed] = collector.spans();
  deepStrictEqual(ran?.attributes, {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "exec-command",
    "network.transport": "tcp",
    "trestle.transport": "http",
  });
  const { spanId, ...span } = ran ?? {};
  strictEqual(stdout, `00-${TRACE}-${spanId}-01\n`);
  deepStrictEqual([span.name, span.kind, span.traceId, span.parentSpanId, span.status?.code], [
    "tools/call exec-command",
    2,
    TRACE,
    "b7ad6b7169203331",
    0,
  ]);
  deepStrictEqual([unknown?.name, unknown?.attributes["error.type"], unknown?.status.code], [
    "tools/call",
    "UNKNOWN_TOOL",
    2,
  ]);
  strictEqual(failed?.attributes["error.type"], "tool_error");
  ok(!collector.all().includes(SECRET), "no argument, name or token is sent");
});

Deno.test("calls over stdio belong to the trace in their metadata", async () => {
  await using collector = startCollector();
  const session = startStdioSession({ env: collector.env });
  const initialize = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  await session.send({ id: 1, method: "initialize", params: initialize });
  await session.nextLine();
  await session.send({ method: "notifications/initialized" });
  const params = { name: "exec-command", arguments: PRINT, _meta: { traceparent: CLIENT } };
  await session.send({ id: 2, method: "tools/call", params });
  match(await session.nextLine() ?? "", new RegExp(`00-${TRACE}-`));
  strictEqual(await session.end(), 0);
  const spans = collector.spans();
  const span = spans.find(({ name }) => name === "tools/call exec-command");
  deepStrictEqual([span?.traceId, span?.attributes["network.transport"]], [TRACE, "pipe"]);
  deepStrictEqual(
    spans.map(({ name, attributes }) => [name, attributes["mcp.protocol.version"]]),
    ["initialize", "notifications/initialized", "tools/call exec-command"]
      .map((name) => [name, "2025-11-25"]),
  );
  strictEqual(span?.attributes["jsonrpc.request.id"], "2");
  ok(!collector.all().includes(SECRET), "no argument is sent");
});

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** What is sent over HTTP, and what its span says: name, revision and error. */
const MESSAGES: readonly (readonly [
  message: { method: string; params?: object; id?: number },
  headers: Record<string, string>,
  span: readonly [name: string, revision: string | undefined, error: string | undefined],
])[] = [
  [
    {
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: SECRET, version: "1" },
      },
    },
    {},
    ["initialize", "2025-06-18", undefined],
  ],
  [{ method: "notifications/initialized" }, { "mcp-protocol-version": "2025-06-18" }, [
    "notifications/initialized",
    "2025-06-18",
    undefined,
  ]],
  [{ id: 2, method: "tools/list" }, { "mcp-protocol-version": "2025-06-18" }, [
    "tools/list",
    "2025-06-18",
    undefined,
  ]],
  [{ id: 3, method: "ping" }, {}, ["ping", undefined, undefined]],
  [{ id: 4, method: `no-such-${SECRET}` }, {}, ["_OTHER", undefined, "-32601"]],
  [{ id: 5, method: "tools/call", params: { name: 7 } }, {}, ["tools/call", undefined, "-32602"]],
  [
    { id: 6, method: "server/discover", params: { _meta: ENVELOPE } },
    { "mcp-protocol-version": "2026-07-28", "mcp-method": "server/discover" },
    ["server/discover", "2026-07-28", undefined],
  ],
  [
    {
      id: 7,
      method: "tools/call",
      params: { name: "exec-command", arguments: PRINT, _meta: ENVELOPE },
    },
    {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "exec-command",
    },
    ["tools/call exec-command", "2026-07-28", undefined],
  ],
  [
    { id: 8, method: "tools/call", params: { name: "exec-command", arguments: PRINT } },
    { "mcp-protocol-version": SECRET },
    ["tools/call", undefined, "-32602"],
  ],
];

Deno.test("every MCP method over HTTP is a span, with the revision and the error of the answer", async () => {
  await using collector = startCollector();
  const server = await startServer({ env: { ...collector.env, MCP_TOKEN: SECRET } });
  for (const [message, headers] of MESSAGES) {
    const response = await fetch(`${server.url}/mcp`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${SECRET}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        traceparent: CLIENT,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
    await response.text();
  }
  await server.stop();
  const spans = collector.spans();
  deepStrictEqual(
    spans.map(({ name, attributes }) => [
      name,
      attributes["mcp.protocol.version"],
      attributes["error.type"],
    ]),
    MESSAGES.map(([, , span]) => [...span]),
  );
  for (const [index, { kind, traceId, attributes, status }] of spans.entries()) {
    deepStrictEqual([kind, traceId, attributes["network.transport"]], [2, TRACE, "tcp"]);
    const { id } = MESSAGES[index]?.[0] ?? {};
    strictEqual(attributes["jsonrpc.request.id"], id === undefined ? undefined : String(id));
    const error = attributes["error.type"];
    deepStrictEqual([attributes["rpc.response.status_code"], status.code], [
      error,
      error === undefined ? 0 : 2,
    ]);
  }
  ok(!collector.all().includes(SECRET), "no name that a client chose is sent");
});
