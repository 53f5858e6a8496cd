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
    calls: () =>
      bodies.filter(({ path }) => path === "/v1/traces").flatMap(({ text }) =>
        Spans.parse(JSON.parse(text)).resourceSpans.flatMap(({ scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) => spans)
        )
      ).filter(({ name }) => name.startsWith("tools/call")).map(({ attributes, ...span }) => ({
        ...span,
        attributes: Object.fromEntries(
          attributes.map(({ key, value }) => [key, value.stringValue]),
        ),
      })),
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
  const [ran, unknown, failed] = collector.calls();
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
  const [span] = collector.calls();
  deepStrictEqual([span?.traceId, span?.attributes["network.transport"]], [TRACE, "pipe"]);
  strictEqual(span?.attributes["jsonrpc.request.id"], "2");
  ok(!collector.all().includes(SECRET), "no argument is sent");
});
