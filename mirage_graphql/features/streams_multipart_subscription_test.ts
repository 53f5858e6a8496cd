import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { until } from "../testing/until.ts";
import { createFetchHandlerFor } from "../http/fetch_handler.ts";
import { createMockExecutor } from "../mock/mock_executor.ts";
import { createFetchHandler } from "../mod.ts";
import { parseMockSchema } from "../orm/mirage/mirage_schema.ts";
import { trackWrites } from "../orm/records/table_writes.ts";
import { createSeedServer } from "../testing/seed_server.ts";

const graphQLSchema = `
  type Person { id: ID!, name: String! }
  type Query { people: [Person!]! }
  type Subscription { personCreated: Person!, ticks: Int, broken: Int }
`;
const resolvers = {
  Subscription: {
    ticks: {
      async *subscribe() {
        yield await Promise.resolve({ ticks: 1 });
        yield { ticks: 2 };
      },
    },
    broken: {
      async *subscribe() {
        yield await Promise.reject(new Error("out of order"));
      },
    },
  },
};
const ACCEPT = 'multipart/mixed;subscriptionSpec="1.0", application/json';

function requestOf(query: string, accept = ACCEPT, signal?: AbortSignal): Request {
  const search = `?query=${encodeURIComponent(query)}`;
  return new Request(`http://localhost/graphql${search}`, { headers: { Accept: accept }, signal });
}

Deno.test("multipart subscriptions have the parts, the envelopes and the end of Apollo's protocol", async () => {
  const handler = createFetchHandler(graphQLSchema, createSeedServer().schema, { resolvers });
  const part = (body: string) => `\r\n--graphql\r\nContent-Type: application/json\r\n\r\n${body}`;
  const end = "\r\n--graphql--\r\n";
  const ticks = await handler(requestOf("subscription { ticks }"));
  strictEqual(
    ticks.headers.get("content-type"),
    'multipart/mixed;boundary="graphql";subscriptionSpec="1.0"',
  );
  strictEqual(
    await ticks.text(),
    part("{}") + part('{"payload":{"data":{"ticks":1}}}') +
      part('{"payload":{"data":{"ticks":2}}}') + end,
  );
  const broken = await handler(requestOf("subscription { broken }"));
  strictEqual(
    await broken.text(),
    part("{}") + part('{"payload":null,"errors":[{"message":"out of order"}]}') + end,
  );
});

Deno.test("a multipart client gets JSON for what is not a stream", async () => {
  const handler = createFetchHandler(graphQLSchema, createSeedServer().schema, { resolvers });
  const cases: [query: string, accept: string, status: number, body: RegExp][] = [
    ["{ people { id } }", ACCEPT, 200, /^{"data":{"people":\[\]}}$/],
    ["subscription { nothing }", ACCEPT, 200, /Cannot query field/],
    ["subscription Planned { ticks }", ACCEPT, 503, /HTTP status 503/],
    [
      "subscription { ticks }",
      "multipart/mixed;deferSpec=20220824, */*",
      400,
      /: accept text\/event/,
    ],
    ["subscription { ticks }", "application/json", 400, /multipart\/mixed;subscriptionSpec=\\"1.0/],
  ];
  handler.failNext("Planned", 503);
  for (const [query, accept, status, body] of cases) {
    const response = await handler(requestOf(query, accept));
    match(response.headers.get("content-type") ?? "", /^application\/json/);
    strictEqual(response.status, status, query);
    match(await response.text(), body);
  }
  const old = await handler(
    requestOf("subscription { ticks }", "multipart/mixed;boundary=graphql;subscriptionSpec=1.0"),
  );
  match(await old.text(), /"ticks":2/);
});

Deno.test({
  name: "a multipart subscription sends heartbeats, ends with its client and leaves no timer",
  sanitizeOps: true,
  sanitizeResources: true,
  async fn() {
    const mock = createSeedServer();
    const tables = trackWrites(parseMockSchema(mock.schema).db);
    const executor = createMockExecutor(graphQLSchema, mock.schema, { resolvers });
    const handler = createFetchHandlerFor(executor, { heartbeat: 5 });
    const open = async (signal?: AbortSignal) => {
      const request = requestOf("subscription { personCreated { id } }", ACCEPT, signal);
      const response = await handler(request);
      return response.body!.pipeThrough(new TextDecoderStream()).getReader();
    };
    const reader = await open();
    match((await reader.read()).value ?? "", /^\r\n--graphql\r\n.*\r\n\r\n{}\r\n--graphql$/);
    const beat = "\r\nContent-Type: application/json\r\n\r\n{}\r\n--graphql";
    deepStrictEqual([await reader.read(), await reader.read()].map(({ value }) => value), [
      beat,
      beat,
    ]);
    strictEqual(tables.listeners, 1);
    await reader.cancel();
    await until(() => tables.listeners === 0);

    const controller = new AbortController();
    const aborted = await open(controller.signal);
    strictEqual(tables.listeners, 1);
    controller.abort();
    await until(() => tables.listeners === 0);
    let last = "";
    for (let read = await aborted.read(); !read.done; read = await aborted.read()) {
      last = read.value;
    }
    strictEqual(last, "--\r\n");
  },
});
