import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { ConfigError, parseConfig } from "../settings/config.ts";
import { listenEarly, type Listening, type LoadState, mayListenFirst } from "./listen.ts";
import { createTestLog } from "../testing/test_runner.ts";

const HEALTH = "GET /healthz HTTP/1.1";
const HOST = "host: localhost";

/** Listens, and answers nothing but health checks yet. */
async function withServer(
  use: (listening: Listening) => Promise<void>,
  loading?: LoadState,
): Promise<void> {
  const listening = await listenEarly(parseConfig([], { MCP_PORT: "0" }, 2), loading);
  try {
    await use(listening);
  } finally {
    await listening.server.shutdown();
  }
}

/** Sends a request over a connection of its own. */
async function send({ server }: Listening, ...head: string[]): Promise<Deno.TcpConn> {
  const connection = await Deno.connect({ ...server.address, transport: "tcp" });
  const lines = [...head, "connection: close", "", ""];
  await connection.write(new TextEncoder().encode(lines.join("\r\n")));
  return connection;
}

/** Sends a request over a connection of its own; resolves with the body of the answer. */
async function ask(listening: Listening, ...head: string[]): Promise<string> {
  using connection = await send(listening, ...head);
  const answer = await new Response(connection.readable).text();
  return answer.split("\r\n\r\n")[1] ?? "";
}

async function answerAll({ answer }: Listening): Promise<void> {
  await answer({ handler: () => Promise.resolve(new Response("loaded")), log: createTestLog() });
}

Deno.test("listenEarly() answers health checks before anything is loaded", async () => {
  await withServer(async (listening) => {
    strictEqual(await ask(listening, HEALTH, HOST), "ok");
    await answerAll(listening);
    strictEqual(await ask(listening, HEALTH, HOST), "loaded");
  });
});

Deno.test("listenEarly() is not ready before everything is loaded", async () => {
  await withServer(async (listening) => {
    const ready = ["GET /readyz HTTP/1.1", HOST];
    strictEqual(await ask(listening, ...ready), "not ready: the server starts\n");
    await answerAll(listening);
    strictEqual(await ask(listening, ...ready), "loaded");
  });
});

const WAITING: readonly (readonly [what: string, ...request: string[]])[] = [
  ["a call", "POST /api HTTP/1.1", HOST, "content-length: 0"],
  ["a request for more than its health", "GET /healthz?verbose HTTP/1.1", HOST],
  ["a health check of a web page", HEALTH, HOST, "origin: https://example.org"],
  ["a health check by another name", HEALTH, "host: example.org"],
];

for (const [what, ...request] of WAITING) {
  Deno.test(`listenEarly() delays ${what} until it can be answered`, async () => {
    await withServer(async (listening) => {
      const order: string[] = [];
      const asked = ask(listening, ...request).then((body) => void order.push(body));
      order.push(await ask(listening, HEALTH, HOST));
      await answerAll(listening);
      await asked;
      deepStrictEqual(order, ["ok", "loaded"]);
    });
  });
}

Deno.test("listenEarly() reports when the requests that waited are answered", async () => {
  const loading: { late: string | undefined } = { late: "loading" };
  await withServer(async (listening) => {
    const order: string[] = [];
    const held = Promise.withResolvers<Response>();
    const call = ["POST /api HTTP/1.1", HOST, "content-length: 0"];
    // One that was answered because something took long does not wait.
    await ask(listening, ...call);
    loading.late = undefined;
    // The server has read both requests when it answers the first.
    using connection = await send(listening, HEALTH, HOST, "", ...call);
    await connection.read(new Uint8Array(1_024));
    await ask(listening, HEALTH, HOST);
    const answered = listening.answer({
      handler: async ({ method }) => method === "POST" ? await held.promise : new Response("later"),
      log: createTestLog(),
    }).then(() => void order.push("all that waited"));
    order.push(await ask(listening, "GET /api HTTP/1.1", HOST));
    held.resolve(new Response("held"));
    await answered;
    deepStrictEqual(order, ["later", "all that waited"]);
  }, loading);
});

Deno.test("listenEarly() answers 503 with what takes long, and requests again once it is loaded", async () => {
  const loading: { late: string | undefined } = { late: "loading the tools for 12 s" };
  const listening = await listenEarly(parseConfig([], { MCP_PORT: "0" }, 2), loading);
  try {
    const call = ["POST /api HTTP/1.1", HOST, "content-length: 0"];
    strictEqual(await ask(listening, HEALTH, HOST), "not ready: loading the tools for 12 s\n");
    strictEqual(await ask(listening, ...call), "not ready: loading the tools for 12 s\n");
    loading.late = undefined;
    strictEqual(await ask(listening, HEALTH, HOST), "ok");
    const waiting = ask(listening, ...call);
    answerAll(listening);
    strictEqual(await waiting, "loaded");
  } finally {
    await listening.server.shutdown();
  }
});

Deno.test("listenEarly() rejects a port that is taken", async () => {
  await withServer(async ({ server }) => {
    const config = parseConfig([], { MCP_PORT: String(server.address.port) }, 2);
    await rejects(listenEarly(config), (error) => error instanceof ConfigError);
  });
});

Deno.test("mayListenFirst() is true unless a setting may still turn out to be wrong", () => {
  const check = (env: Record<string, string>) => mayListenFirst(parseConfig([], env, 2));
  const harmless = { HOME: "/root", MCP_TOKEN: "a-token-of-more-than-thirty-two-characters" };
  strictEqual(check({ ...harmless, MCP_LOG_LEVEL: "error", MCP_CONSOLE: "off" }), true);
  const others = {
    MCP_AUDIT_FILE: "/tmp/audit",
    MCP_CALLERS_FILE: "/tmp/callers.json",
    MCP_RUN_AS: "somebody",
    MCP_TOOLS_DIR: "/tmp/tools",
    MCP_DATA_DIR: "/tmp/data",
    MCP_JOBS_URL: "postgres://localhost/jobs",
    MCP_METRICS_PORT: "9090",
    MCP_CONTAINMENT: "required",
    MCP_COMMAND_MEMORY_BYTES: "100000000",
    OTEL_DENO: "true",
  };
  for (const [name, value] of Object.entries(others)) {
    strictEqual(check({ ...harmless, [name]: value }), false, name);
  }
});
