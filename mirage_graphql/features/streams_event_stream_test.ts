import { type Client, createClient } from "graphql-sse";
import { Response as MirageResponse } from "miragejs";
import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { createFetchHandlerFor } from "../http/fetch_handler.ts";
import { createMockExecutor } from "../mock/mock_executor.ts";
import { createFetchHandler, createGraphQLHandler } from "../mod.ts";
import { parseMockSchema } from "../orm/mirage/mirage_schema.ts";
import { trackWrites } from "../orm/records/table_writes.ts";
import { createSeedServer } from "../testing/seed_server.ts";
import { until } from "../testing/until.ts";

const graphQLSchema = `
  type Person { id: ID!, name: String! }
  input PersonInput { name: String! }
  type Query { people: [Person!]!, teapot: String, bad: String }
  type Mutation { createPerson(input: PersonInput!): Person! }
  type Subscription { personCreated(name: String): Person!, personDeleted: ID, ticks: Int }
`;

const resolvers = {
  Query: {
    teapot() {
      throw new MirageResponse(418, { "X-Pot": "tea" }, { short: "stout" });
    },
    bad() {
      throw new Error("Cannot resolve bad");
    },
  },
  Subscription: {
    ticks: {
      async *subscribe() {
        yield await Promise.resolve({ ticks: 1 });
        yield { ticks: 2 };
      },
    },
  },
};

/** The fetch handler behind a real server, and a real client of the protocol. */
function start() {
  const mock = createSeedServer();
  const handler = createFetchHandler(graphQLSchema, mock.schema, { resolvers });
  let answered = 0;
  const address = { port: 0, hostname: "127.0.0.1", onListen() {} };
  const server = Deno.serve(address, async (request) => {
    const response = await handler(request);
    answered++;
    return response;
  });
  const url = `http://127.0.0.1:${server.addr.port}/graphql`;
  const client: Client = createClient({ url, retryAttempts: 0 });
  const tables = trackWrites(parseMockSchema(mock.schema).db);
  return {
    mock,
    url,
    client,
    handler,
    tables,
    answered: () => answered,
    async [Symbol.asyncDispose]() {
      client.dispose();
      await server.shutdown();
      mock.shutdown();
    },
  };
}

async function all(client: Client | Client<true>, query: string): Promise<unknown[]> {
  const results: unknown[] = [];
  for await (const result of client.iterate({ query })) results.push(result);
  return results;
}

Deno.test("a graphql-sse client receives the events of a subscription, and its end releases everything", async () => {
  await using started = start();
  const { client, mock, tables, url, answered } = started;
  const query = `subscription ($name: String) { personCreated(name: $name) { id name } }`;
  const all = client.iterate({ query });
  const some = client.iterate({ query, variables: { name: "Zoë" } });
  const firsts = [all.next(), some.next()];
  await until(() => answered() === 2);
  strictEqual(tables.listeners, 1);
  mock.create("person", { name: "Ada" });
  const mutation = `mutation { createPerson(input: { name: "Zoë" }) { id } }`;
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query: mutation }),
  });
  deepStrictEqual(await answer.json(), { data: { createPerson: { id: "2" } } });
  const ada = { data: { personCreated: { id: "1", name: "Ada" } } };
  const zoe = { data: { personCreated: { id: "2", name: "Zoë" } } };
  deepStrictEqual((await Promise.all(firsts)).map(({ value }) => value), [ada, zoe]);
  deepStrictEqual((await all.next()).value, zoe);
  await all.return?.();
  await some.return?.();
  await until(() => tables.listeners === 0);
});

Deno.test("a client that disconnects ends its subscription", async () => {
  await using started = start();
  const { tables, url } = started;
  const controller = new AbortController();
  const query = encodeURIComponent("subscription { personDeleted }");
  const answer = await fetch(`${url}?query=${query}`, {
    headers: { Accept: "text/event-stream" },
    signal: controller.signal,
  });
  strictEqual(answer.headers.get("content-type"), "text/event-stream; charset=utf-8");
  strictEqual(tables.listeners, 1);
  controller.abort();
  await until(() => tables.listeners === 0);
});

Deno.test("a result that JSON can't represent ends the stream with an error, and the subscription", async () => {
  const mock = createSeedServer();
  const tables = trackWrites(parseMockSchema(mock.schema).db);
  const handler = createFetchHandler(
    "scalar Big type Post { id: ID!, size: Big } type Query { posts: [Post!]! } " +
      "type Subscription { postCreated: Post }",
    mock.schema,
  );
  const query = encodeURIComponent("subscription { postCreated { size } }");
  const answer = await handler(
    new Request(`http://localhost/?query=${query}`, { headers: { Accept: "text/event-stream" } }),
  );
  strictEqual(tables.listeners, 1);
  mock.schema.db.posts?.insert({ size: 1n });
  match(await answer.text(), /^event: next\ndata: \{"errors":.*BigInt[^]*event: complete/m);
  await until(() => tables.listeners === 0);
  mock.shutdown();
});

Deno.test("a graphql-sse client can query and mutate, and receives errors", async () => {
  await using started = start();
  const { client } = started;
  deepStrictEqual(await all(client, `mutation { createPerson(input: { name: "Ada" }) { name } }`), [
    { data: { createPerson: { name: "Ada" } } },
  ]);
  deepStrictEqual(await all(client, "{ people { id } }"), [{ data: { people: [{ id: "1" }] } }]);
  deepStrictEqual(await all(client, "subscription { ticks }"), [
    { data: { ticks: 1 } },
    { data: { ticks: 2 } },
  ]);
  const messages: [string, RegExp][] = [
    ["{ bad }", /Cannot resolve bad/],
    ["{ nothing }", /Cannot query field "nothing"/],
    ["subscription { nothing }", /Cannot query field "nothing"/],
    ["{", /Syntax Error/],
  ];
  for (const [query, expected] of messages) {
    const results = await all(client, query) as { errors: { message: string }[] }[];
    strictEqual(results.length, 1, query);
    match(results[0]?.errors[0]?.message ?? "", expected, query);
  }
});

Deno.test("requests for a stream without an operation are rejected with a status", async () => {
  await using started = start();
  const { url } = started;
  const post = { method: "POST", headers: { "Content-Type": "application/json" } };
  const mutation = encodeURIComponent(`mutation { createPerson(input: { name: "Ada" }) { id } }`);
  const cases: [string, RequestInit, number, RegExp][] = [
    ["", { ...post, body: "{" }, 400, /it is not JSON/],
    ["", { ...post, body: "{}" }, 400, /query.* is missing/],
    ["", { ...post, body: "[]" }, 400, /batches are disabled/],
    ["", { ...post, headers: {}, body: new Blob(["{}"]) }, 415, /Content-Type: application\/json/],
    ["?token=1", {}, 404, /Cannot find the event stream \\"1\\"/],
    [`?query=${mutation}`, {}, 405, /Cannot run mutation .* by GET: send POST/],
    ["", { method: "PUT", body: "{}" }, 405, /Cannot answer PUT/],
    ["", { method: "DELETE" }, 405, /Cannot answer DELETE/],
    ["?query={teapot}", {}, 418, /stout/],
  ];
  for (const [search, init, status, text] of cases) {
    const headers = { ...init.headers, Accept: "text/event-stream" };
    const answer = await fetch(`${url}${search}`, { ...init, headers });
    match(await answer.text(), text);
    strictEqual(answer.status, status, `${search} ${init.body}`);
  }
});

Deno.test("failNext() makes a subscription fail", async () => {
  await using started = start();
  const { client, handler } = started;
  handler.failNext("Ticks", new Error("not now"));
  handler.failNext("Ticks", 503);
  const query = "subscription Ticks { ticks }";
  deepStrictEqual(await all(client, query), [{ data: null, errors: [{ message: "not now" }] }]);
  await rejects(all(client, query), /Server responded with 503/);
  deepStrictEqual((await all(client, query)).length, 2);
});

Deno.test({
  name:
    "an event stream starts with a comment, sends heartbeats, ends with complete and leaves no timer",
  sanitizeOps: true,
  sanitizeResources: true,
  async fn() {
    const mock = createSeedServer();
    const tables = trackWrites(parseMockSchema(mock.schema).db);
    const executor = createMockExecutor(graphQLSchema, mock.schema, { resolvers });
    const handler = createFetchHandlerFor(executor, { heartbeat: 5 });
    const open = async (query: string, signal?: AbortSignal) => {
      const url = `http://localhost/?query=${encodeURIComponent(query)}`;
      const headers = { Accept: "text/event-stream" };
      const answer = await handler(new Request(url, { headers, signal }));
      return answer.body!.pipeThrough(new TextDecoderStream());
    };
    let text = "";
    for await (const chunk of await open("subscription { ticks }")) text += chunk;
    strictEqual(
      text.replace(/^(:\n\n)+/, ":\n\n"),
      ':\n\nevent: next\ndata: {"data":{"ticks":1}}\n\n' +
        'event: next\ndata: {"data":{"ticks":2}}\n\nevent: complete\ndata:\n\n',
    );
    const reader = (await open("subscription { personDeleted }")).getReader();
    const beats = [await reader.read(), await reader.read(), await reader.read()];
    deepStrictEqual(beats.map(({ value }) => value), [":\n\n", ":\n\n", ":\n\n"]);
    await reader.cancel();
    strictEqual(tables.listeners, 0);

    const controller = new AbortController();
    const aborted = await open("subscription { personDeleted }", controller.signal);
    strictEqual(tables.listeners, 1);
    controller.abort();
    let rest = "";
    for await (const chunk of aborted) rest += chunk;
    strictEqual(rest.replace(/^(:\n\n)+/, ":\n\n"), ":\n\nevent: complete\ndata:\n\n");
    strictEqual(tables.listeners, 0);
  },
});

Deno.test("a subscription without a stream is rejected with an error that says how to get one", async () => {
  const mock = createSeedServer();
  const handler = createGraphQLHandler(graphQLSchema, mock.schema);
  const { errors } = await handler(mock.schema, {
    requestBody: { query: "subscription { personDeleted }" },
  });
  match(errors?.[0]?.message ?? "", /: use createFetchInterceptor\(\), createFetchHandler\(\) or/);
});

Deno.test({
  name: "an event stream that nobody has read leaves no timer when its client goes",
  sanitizeOps: true,
  async fn() {
    const mock = createSeedServer();
    const tables = trackWrites(parseMockSchema(mock.schema).db);
    const executor = createMockExecutor(graphQLSchema, mock.schema, { resolvers });
    const handler = createFetchHandlerFor(executor);
    const controller = new AbortController();
    const { signal } = controller;
    const query = encodeURIComponent("subscription { personDeleted }");
    const headers = { Accept: "text/event-stream" };
    await handler(new Request(`http://localhost/?query=${query}`, { headers, signal }));
    strictEqual(tables.listeners, 1);
    controller.abort();
    await until(() => tables.listeners === 0);
    mock.shutdown();
  },
});
