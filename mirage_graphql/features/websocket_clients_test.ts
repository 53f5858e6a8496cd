import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { parseMockSchema } from "../orm/mirage.ts";
import { trackWrites } from "../orm/records/table_writes.ts";
import { exerciseClient, EXPECTED, graphQLSchema, resolvers } from "../testing/clients/exercise.ts";
import { SOCKET_CLIENTS } from "../testing/clients/socket_clients.ts";
import { createSeedServer } from "../testing/seed_server.ts";
import { until } from "../testing/until.ts";
import { createWebSocketHandler } from "../ws.ts";

Deno.test("clients query, mutate and subscribe over the sockets of Deno.serve", async (t) => {
  for (const [name, createClient] of Object.entries(SOCKET_CLIENTS)) {
    await t.step(name, async () => {
      const mock = createSeedServer();
      const tables = trackWrites(parseMockSchema(mock.schema).db);
      using handler = createWebSocketHandler(graphQLSchema, mock.schema, { resolvers });
      await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handler);
      {
        await using client = createClient(`ws://127.0.0.1:${server.addr.port}/graphql`);
        deepStrictEqual(await exerciseClient(client), EXPECTED);
        await until(() => tables.listeners === 0);
      }
      deepStrictEqual(
        handler.operations.map(({ name }) => name),
        ["CreatePerson", "CreatePerson", "People", "Bad"],
      );
      strictEqual(tables.listeners, 0);
    });
  }
});
