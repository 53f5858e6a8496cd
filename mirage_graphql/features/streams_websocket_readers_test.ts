import { createClient } from "graphql-ws";
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { createSeedServer } from "../testing/seed_server.ts";
import { connectStuckReader } from "../testing/stuck_reader.ts";
import { createWebSocketHandler } from "../ws.ts";

const graphQLSchema = `
  type Person { id: ID! }
  type Query { people: [Person!]! }
  type Subscription { personCreated: Person!, flood: String }
`;

/** More than the network accepts from a process whose peer does not read. */
const PART = "x".repeat(20_000);

Deno.test("a reader that stops reading is disconnected with 1013 after 1,000 messages", async (t) => {
  for (const [protocol, type] of [["graphql-transport-ws", "subscribe"], ["graphql-ws", "start"]]) {
    await t.step(`${protocol}`, async () => {
      const ended = Promise.withResolvers<void>();
      let sent = 0;
      const flood = {
        async *subscribe() {
          try {
            for (; sent < 10_000; sent++) yield await Promise.resolve({ flood: PART });
          } finally {
            ended.resolve();
          }
        },
      };
      const { schema } = createSeedServer();
      using handler = createWebSocketHandler(graphQLSchema, schema, {
        resolvers: { Subscription: { flood } },
      });
      await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handler);
      using reader = await connectStuckReader(server.addr.port, `${protocol}`);
      await reader.send({ type: "connection_init", payload: { PART } });
      await reader.readOne();
      await reader.send({ id: "1", type, payload: { query: "subscription { flood }", PART } });
      await ended.promise;
      ok(sent > 1_000 && sent < 5_000, `${sent} messages`);
      strictEqual(await reader.readCloseCode(), 1013);
    });
  }
});

Deno.test("a reader that keeps reading receives a burst of 5,000 messages, in order", async () => {
  const mock = createSeedServer();
  using handler = createWebSocketHandler(graphQLSchema, mock.schema);
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handler);
  const client = createClient({ url: `ws://127.0.0.1:${server.addr.port}`, retryAttempts: 0 });
  const results = client.iterate<{ personCreated: { id: string } }>({
    query: "subscription { personCreated { id } }",
  });
  const first = results.next();
  for await (const _ of client.iterate({ query: "{ people { id } }" })) break;
  for (let made = 0; made < 5_000; made++) mock.create("person");
  const ids = [(await first).value?.data?.personCreated.id];
  while (ids.length < 5_000) ids.push((await results.next()).value?.data?.personCreated.id);
  deepStrictEqual(ids, Array.from({ length: 5_000 }, (_, index) => String(index + 1)));
  await results.return?.();
  await client.dispose();
});
