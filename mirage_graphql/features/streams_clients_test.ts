import { deepStrictEqual } from "node:assert/strict";
import { createFetchHandler } from "../mod.ts";
import { parseMockSchema } from "../orm/mirage/mirage_schema.ts";
import { trackWrites } from "../orm/records/table_writes.ts";
import { exerciseClient, EXPECTED, graphQLSchema, resolvers } from "../testing/clients/exercise.ts";
import { STREAM_CLIENTS } from "../testing/clients/stream_clients.ts";
import { createSeedServer } from "../testing/seed_server.ts";
import { until } from "../testing/until.ts";

Deno.test("clients subscribe over streams of createFetchHandler()", async (t) => {
  for (const [name, createClient] of Object.entries(STREAM_CLIENTS)) {
    await t.step(name, async () => {
      const mock = createSeedServer();
      const tables = trackWrites(parseMockSchema(mock.schema).db);
      const handler = createFetchHandler(graphQLSchema, mock.schema, { resolvers });
      await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handler);
      await using client = createClient(`http://127.0.0.1:${server.addr.port}/graphql`);
      const subscribed = () => until(() => tables.listeners === 1);
      deepStrictEqual(await exerciseClient(client, subscribed), EXPECTED);
      await until(() => tables.listeners === 0);
    });
  }
});
