import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { createFetchHandlerFor } from "../http/fetch_handler.ts";
import type { MockFetchHandlerOptions } from "../mock/fetch_handler.ts";
import { createMockExecutor } from "../mock/mock_executor.ts";
import { createFetchHandler } from "../mod.ts";
import { parseMockSchema } from "../orm/mirage/mirage_schema.ts";
import { trackWrites } from "../orm/records/table_writes.ts";
import { createSeedServer } from "../testing/seed_server.ts";
import { until } from "../testing/until.ts";

const graphQLSchema = `
  type Person { id: ID!, name: String! }
  type Query { people: [Person!]! }
  type Subscription { personCreated: Person!, ticks: Int }
`;
const URL_ = "http://localhost/graphql";
const EVENTS = { Accept: "text/event-stream" };

function start(options: MockFetchHandlerOptions = {}) {
  const mock = createSeedServer();
  let ticks = 0;
  const resolvers = {
    Subscription: {
      ticks: {
        async *subscribe() {
          for (; ticks < 10_000; ticks++) yield await Promise.resolve({ ticks });
        },
      },
    },
  };
  const handler = createFetchHandler(graphQLSchema, mock.schema, { resolvers, ...options });
  const tables = trackWrites(parseMockSchema(mock.schema).db);
  const send = (init: RequestInit, search = "") => handler(new Request(`${URL_}${search}`, init));
  return {
    mock,
    tables,
    send,
    handler,
    ticks: () => ticks,
    reserve: async () => await (await send({ method: "PUT" })).text(),
    run: (token: string, operationId: unknown, query?: string) =>
      send({
        method: "POST",
        headers: { "X-GraphQL-Event-Stream-Token": token, "Content-Type": "application/json" },
        body: JSON.stringify({ query, documentId: "created", extensions: { operationId } }),
      }),
  };
}

async function refusalOf(response: Promise<Response>): Promise<[number, string]> {
  const { status, body } = await response;
  const text = await new Response(body).text();
  return [status, JSON.parse(text).errors[0].message];
}

Deno.test("single connection mode streams all operations of a client, and stops one by DELETE", async () => {
  const { mock, tables, send, reserve, run } = start();
  const reserved = await send({ method: "PUT" });
  deepStrictEqual([reserved.status, reserved.headers.get("content-type")], [
    201,
    "text/plain; charset=utf-8",
  ]);
  const token = await reserved.text();
  match(token, /^[0-9a-f]{32}$/);
  const other = await reserve();

  strictEqual((await run(token, "a", "subscription { personCreated { name } }")).status, 202);
  const controller = new AbortController();
  const { signal } = controller;
  const { status, headers, body } = await send({ headers: EVENTS, signal }, `?token=${token}`);
  deepStrictEqual([status, headers.get("content-type")], [200, "text/event-stream; charset=utf-8"]);
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  const read = async () => (await reader.read()).value?.trimEnd();
  strictEqual(await read(), ":");
  strictEqual((await run(token, "b", "{ people { name } }")).status, 202);
  strictEqual(await read(), 'event: next\ndata: {"id":"b","payload":{"data":{"people":[]}}}');
  strictEqual(await read(), 'event: complete\ndata: {"id":"b"}');
  mock.create("person", { name: "Ada" });
  strictEqual(
    await read(),
    'event: next\ndata: {"id":"a","payload":{"data":{"personCreated":{"name":"Ada"}}}}',
  );

  const taken = send({ headers: EVENTS }, `?token=${token}`);
  deepStrictEqual(await refusalOf(taken), [409, `Cannot connect to "${token}": a client has`]);
  const stopped = await send(
    { method: "DELETE", headers: { "X-GraphQL-Event-Stream-Token": token } },
    "?operationId=a",
  );
  deepStrictEqual([stopped.status, tables.listeners], [200, 0]);
  strictEqual((await run(token, "a", "subscription { personCreated { name } }")).status, 202);
  strictEqual(tables.listeners, 1);
  controller.abort();
  await until(() => tables.listeners === 0);
  strictEqual((await run(token, "c", "{ people { name } }")).status, 404);
  strictEqual((await run(other, "c", "{ people { name } }")).status, 202);
});

Deno.test("single connection mode rejects what it can't run", async () => {
  const { send, reserve, run } = start();
  const token = await reserve();
  const subscription = "subscription { personCreated { name } }";
  deepStrictEqual(await refusalOf(run("none", "a", subscription)), [
    404,
    'Cannot find the event stream "none"',
  ]);
  deepStrictEqual(await refusalOf(run(token, undefined, subscription)), [
    400,
    "Cannot start an operation: extensions.operationId is missing",
  ]);
  deepStrictEqual(await refusalOf(run(token, "a", "{ nothing }")), [
    400,
    'Cannot query field "nothing" on type "Query".',
  ]);
  await run(token, "a", subscription);
  deepStrictEqual(await refusalOf(run(token, "a", subscription)), [
    409,
    'Cannot start operation "a": it runs already',
  ]);
  deepStrictEqual(await refusalOf(send({ method: "DELETE" }, `?token=${token}`)), [
    400,
    "Cannot stop an operation: the parameter operationId is missing",
  ]);
  for (let id = 1; id < 1_000; id++) await run(token, `${id}`, subscription);
  deepStrictEqual(await refusalOf(run(token, "b", subscription)), [
    429,
    'Cannot start operation "b": 1000 run already',
  ]);
});

Deno.test("an operation starts once, and not after its client has gone while its document was looked up", async () => {
  const found = Promise.withResolvers<string>();
  const { tables, send, reserve, run } = start({ persistedOperations: () => found.promise });
  const [used, left] = [await reserve(), await reserve()];
  const { body } = await send({ headers: EVENTS }, `?token=${left}`);
  const runs = [run(used, "a"), run(used, "a"), run(left, "a")];
  await body?.cancel();
  found.resolve("subscription { personCreated { name } }");
  deepStrictEqual((await Promise.all(runs)).map(({ status }) => status), [202, 409, 404]);
  strictEqual(tables.listeners, 1);
});

Deno.test("an operation that is stopped while its document is looked up doesn't start", async () => {
  const asked = Promise.withResolvers<void>();
  const found = Promise.withResolvers<string>();
  const persistedOperations = () => {
    asked.resolve();
    return found.promise;
  };
  const { tables, send, reserve, run } = start({ persistedOperations });
  const token = await reserve();
  const started = run(token, "a");
  await asked.promise;
  await send({ method: "DELETE" }, `?token=${token}&operationId=a`);
  found.resolve("subscription { personCreated { name } }");
  strictEqual((await started).status, 204);
  await until(() => tables.listeners === 0);
});

Deno.test("a client that has gone before its stream opens leaves none", async () => {
  const { send, reserve, run } = start();
  const token = await reserve();
  await send({ headers: EVENTS, signal: AbortSignal.abort() }, `?token=${token}`);
  strictEqual((await run(token, "a", "{ people { name } }")).status, 404);
});

Deno.test("a reserved stream that nobody uses makes room for another after 1,000", async () => {
  const { send, reserve, run } = start();
  const first = await reserve();
  const connected = await reserve();
  const { body } = await send({ headers: EVENTS }, `?token=${connected}`);
  for (let made = 2; made < 1_001; made++) await reserve();
  strictEqual((await run(first, "a", "{ people { name } }")).status, 404);
  strictEqual((await run(connected, "a", "{ people { name } }")).status, 202);
  await body?.cancel();
});

Deno.test("a client that does not read its stream holds its operations back", async () => {
  const { send, reserve, run, ticks } = start();
  const token = await reserve();
  const { body } = await send({ headers: EVENTS }, `?token=${token}`);
  await run(token, "a", "subscription { ticks }");
  await new Promise((resolve) => setTimeout(resolve, 20));
  ok(ticks() < 20, `${ticks()} results`);
  await body?.cancel();
});

Deno.test("failNext() breaks the stream of a single connection", async () => {
  const { handler, send, reserve, run, tables } = start();
  const token = await reserve();
  const { body } = await send({ headers: EVENTS }, `?token=${token}`);
  await run(token, "a", "subscription { personCreated { name } }");
  handler.failNext("*", "network");
  strictEqual((await run(token, "b", "{ people { name } }")).status, 202);
  await rejects(new Response(body).text(), TypeError);
  await until(() => tables.listeners === 0);
});

Deno.test({
  name: "a stream of single connection mode sends heartbeats, and leaves no timer",
  sanitizeOps: true,
  async fn() {
    const mock = createSeedServer();
    const tables = trackWrites(parseMockSchema(mock.schema).db);
    const executor = createMockExecutor(graphQLSchema, mock.schema);
    const handler = createFetchHandlerFor(executor, { heartbeat: 5 });
    const send = (init: RequestInit, search = "") => handler(new Request(`${URL_}${search}`, init));
    const token = await (await send({ method: "PUT" })).text();
    const response = await send({ headers: EVENTS }, `?token=${token}`);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let beat = 0; beat < 3; beat++) strictEqual((await reader.read()).value, ":\n\n");
    const headers = { "Content-Type": "application/json" };
    const query = "subscription { personCreated { id } }";
    const body = JSON.stringify({ query, extensions: { operationId: "a" } });
    await send({ method: "POST", headers, body }, `?token=${token}`);
    await until(() => tables.listeners === 1);
    await reader.cancel();
    await until(() => tables.listeners === 0);
  },
});
