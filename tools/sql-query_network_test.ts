import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { Client } from "pg";
import { within } from "../mcp_server/shared/concurrency.ts";
import { startPostgres } from "../mcp_server/testing/postgres.ts";
import { createSqlTool } from "../mcp_server/testing/sql_tool.ts";
import { requires } from "../test_support/services.ts";

/** Bytes of a cancel request (PostgreSQL manual, 55.7). */
const CANCEL_BYTES = 16;

/** Ends a test whose tool waits without end. */
const GUARD_MS = 20_000;

/** What a proxy does with the server's responses. */
interface Fault {
  /** How many more bytes of responses are forwarded. */
  left: number;
  /** Whether the connections are then reset; otherwise they stop sending. */
  readonly reset: boolean;
}

/** Requests that a proxy keeps back. */
interface Hold {
  /** What the requests contain, or how long they are. */
  readonly text: string | number;
  readonly until: Promise<void>;
}

/** One character for each byte, so that the length of a text is that of its message. */
const decoder = new TextDecoder("latin1");

/**
 * Runs a proxy between the tool and PostgreSQL that delays requests and breaks connections.
 */
function startProxy(port: number) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const sockets: Deno.TcpConn[] = [];
  const state: {
    fault: Fault | undefined;
    hold: Hold | undefined;
    requests: string[];
    onRequest: (request: string) => void;
    onResponse: (response: string) => void;
  } = {
    fault: undefined,
    hold: undefined,
    requests: [],
    onRequest: () => {},
    onResponse: () => {},
  };

  const pump = async (from: Deno.TcpConn, to: Deno.TcpConn, answers: boolean) => {
    const buffer = new Uint8Array(65_536);
    for (let count = await from.read(buffer); count !== null; count = await from.read(buffer)) {
      const { fault, hold } = state;
      const message = decoder.decode(buffer.subarray(0, count));
      if (!answers) state.requests.push(message);
      (answers ? state.onResponse : state.onRequest)(message);
      if (hold && !answers && isHeld(message, hold)) await hold.until;
      const passed = answers && fault ? Math.min(count, fault.left) : count;
      if (fault && answers) fault.left -= passed;
      for (let at = 0; at < passed;) at += await to.write(buffer.subarray(at, passed));
      if (passed < count && fault?.reset) break;
    }
    for (const socket of [from, to]) socket.close();
  };
  const accept = async () => {
    for await (const client of listener) {
      const server = await Deno.connect({ hostname: "127.0.0.1", port });
      sockets.push(client, server);
      pump(client, server, false).catch(() => {});
      pump(server, client, true).catch(() => {});
    }
  };
  const ended = accept();
  return {
    port: listener.addr.port,
    state,
    [Symbol.asyncDispose]: async () => {
      listener.close();
      await ended;
      for (const socket of sockets) tryToClose(socket);
    },
  };
}

function isHeld(request: string, { text }: Hold): boolean {
  return typeof text === "string" ? request.includes(text) : request.length === text;
}

function tryToClose(socket: Deno.TcpConn): void {
  try {
    socket.close();
  } catch {
    // It is already closed.
  }
}

function test(what: string, fn: (pg: Awaited<ReturnType<typeof startPostgres>>) => Promise<void>) {
  Deno.test({
    ...requires("postgresql", `sql-query on PostgreSQL ${what}`),
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => {
      await using pg = await startPostgres();
      await fn(pg);
    },
  });
}

const through = (url: string, port: number) => ({
  DATABASE_URL: url.replace(/:\d+\//, `:${port}/`),
});

/** What ends the response to a `SELECT` of one row. */
const SELECTED = "SELECT 1\0";

test("never lets a late cancel request reach the next query", async (pg) => {
  await using proxy = startProxy(pg.port);
  await using tool = await createSqlTool(through(pg.url(), proxy.port));
  const blocker = new Client(pg.url());
  await blocker.connect();
  await blocker.query("SELECT pg_advisory_lock(1)");
  const late = Promise.withResolvers<void>();
  proxy.state.hold = { text: CANCEL_BYTES, until: late.promise };
  proxy.state.onRequest = (request) => {
    // The statement ends by itself while its cancel request is on the way.
    if (request.length === CANCEL_BYTES) void blocker.query("SELECT pg_advisory_unlock(1)");
  };
  proxy.state.onResponse = (response) => {
    if (response.includes(SELECTED)) setTimeout(late.resolve, 200);
  };
  const queries = [
    "SET statement_timeout = 0",
    "SET lock_timeout = 0",
    "SELECT pg_advisory_lock(1)",
    "SELECT pg_sleep(0.5), 3 AS a",
  ];
  // Long enough for a busy machine to connect; only the third query reaches it.
  const [batch] = await tool.call({ batches: [{ queries }], timeoutMs: 5_000 });
  await blocker.end();
  const cancels = proxy.state.requests.filter((request) => request.length === CANCEL_BYTES);
  strictEqual(cancels.length, 1);
  deepStrictEqual(batch?.results.map(({ error }) => error?.message), Array(4).fill(undefined));
});

test("answers before it tidies its connection, and the next batch waits for that", async (pg) => {
  await using proxy = startProxy(pg.port);
  await using tool = await createSqlTool(through(pg.url(), proxy.port));
  const held = Promise.withResolvers<void>();
  proxy.state.hold = { text: "DISCARD ALL", until: held.promise };
  const pid = "SELECT pg_backend_pid() AS pid";
  const first = await tool.batch(["CREATE TEMP TABLE left_behind (a int)", pid]);
  let isAnswered = false;
  const next = tool.batch(["SELECT * FROM left_behind", pid]).finally(() => isAnswered = true);
  await pg.ask("SELECT 1");
  strictEqual(isAnswered, false);
  held.resolve();
  const { results } = await next;
  strictEqual(results[0]?.error?.code, "42P01");
  deepStrictEqual(results[1]?.rows, first.results[1]?.rows);
});

/** The message that ends a statement of the extended protocol (PostgreSQL manual, 55.7). */
const SYNC = "S\0\0\0\x04";

test("sends a statement with its end, unless its rows are read in pieces", async (pg) => {
  await using proxy = startProxy(pg.port);
  await using tool = await createSqlTool(through(pg.url(), proxy.port));
  for (const maxRows of [1_000, 5_000]) {
    const query = `SELECT ${maxRows} AS most, generate_series(1, 3000) AS n`;
    const [batch] = await tool.call({ batches: [{ queries: [query] }], maxRows });
    const [result] = batch?.results ?? [];
    strictEqual(result?.rows.length, Math.min(maxRows, 3_000));
    strictEqual(result?.truncated, maxRows < 3_000 ? true : undefined);
    const request = proxy.state.requests.find((sent) => sent.includes(query));
    strictEqual(request?.endsWith(SYNC), maxRows === 1_000);
  }
});

test("ends a query whose server falls silent while a type is looked up", async (pg) => {
  await using proxy = startProxy(pg.port);
  await using tool = await createSqlTool(through(pg.url(), proxy.port));
  const held = Promise.withResolvers<void>();
  proxy.state.hold = { text: "typelem", until: held.promise };
  const asked = tool.batch(["CREATE TYPE mood AS ENUM ('ok')", "SELECT '{ok}'::mood[] AS m"]);
  const isAnswered = await within(asked, GUARD_MS);
  held.resolve();
  strictEqual(isAnswered, true);
  const { results } = await asked;
  deepStrictEqual(results.map(({ error }) => error?.code), [undefined, "08006"]);
  proxy.state.hold = undefined;
  deepStrictEqual(await tool.rows("SELECT '{ok}'::mood[] AS m"), [{ m: ["ok"] }]);
});

for (const reset of [false, true]) {
  const how = reset ? "is reset" : "falls silent";
  test(`ends a query whose server ${how} within a row, and reconnects`, async (pg) => {
    await using proxy = startProxy(pg.port);
    await using tool = await createSqlTool(through(pg.url(), proxy.port));
    deepStrictEqual(await tool.rows("SELECT 1 AS a"), [{ a: 1 }]);
    proxy.state.fault = { left: 200_000, reset };
    const queries = ["BEGIN", "SELECT repeat('x', 1000000) AS x", "SELECT 2 AS a"];
    const asked = tool.call({ batches: [{ queries }], timeoutMs: 1_500 });
    strictEqual(await within(asked, GUARD_MS), true);
    const [batch] = await asked;
    const codes = batch?.results.map(({ error }) => error?.code ?? "");
    match(codes?.join() ?? "", /^,(08006|ECONNRESET),08006$/);
    proxy.state.fault = undefined;
    deepStrictEqual(await tool.rows("SELECT 1 AS a"), [{ a: 1 }]);
    const open = "SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'";
    await pg.until(open, "0");
  });
}
