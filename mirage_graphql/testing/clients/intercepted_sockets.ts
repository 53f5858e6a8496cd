import { parseMockSchema } from "../../orm/mirage/mirage_schema.ts";
import { trackWrites } from "../../orm/records/table_writes.ts";
import { createWebSocketInterceptor } from "../../ws.ts";
import { createSeedServer } from "../seed_server.ts";
import { exerciseClient, graphQLSchema, resolvers } from "./exercise.ts";
import { SOCKET_CLIENTS } from "./socket_clients.ts";

/** What one client received, and what remains open. */
export interface Exercised {
  readonly result: unknown;
  readonly listeners: number;
}

/** Runs every client over sockets that are answered in this process, by name. */
export async function exerciseIntercepted(): Promise<Record<string, Exercised>> {
  const exercised: Record<string, Exercised> = {};
  for (const [name, createClient] of Object.entries(SOCKET_CLIENTS)) {
    const mock = createSeedServer();
    const tables = trackWrites(parseMockSchema(mock.schema).db);
    const interceptor = createWebSocketInterceptor(
      "wss://api.test/graphql",
      graphQLSchema,
      mock.schema,
      { resolvers },
    );
    const client = createClient("wss://api.test/graphql");
    const result = await exerciseClient(client);
    await client[Symbol.asyncDispose]();
    interceptor.restore(); // Node 20 has no using
    mock.shutdown();
    exercised[name] = { result, listeners: tables.listeners };
  }
  return exercised;
}
