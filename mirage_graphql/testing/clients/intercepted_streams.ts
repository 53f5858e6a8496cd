import { createServer } from "miragejs";
import { createFetchInterceptor, createGraphQLHandler } from "../../mod.ts";
import { parseMockSchema } from "../../orm/mirage/mirage_schema.ts";
import { trackWrites } from "../../orm/records/table_writes.ts";
import { exerciseClient, graphQLSchema, resolvers } from "./exercise.ts";
import type { Exercised } from "./intercepted_sockets.ts";
import { STREAM_CLIENTS } from "./stream_clients.ts";

/** Runs every client over streams of a route of Mirage, by name. */
export async function exerciseStreams(): Promise<Record<string, Exercised>> {
  const url = new URL("/graphql", globalThis.location?.href ?? "http://localhost").href;
  const exercised: Record<string, Exercised> = {};
  for (const [name, createClient] of Object.entries(STREAM_CLIENTS)) {
    const server = createServer({
      ...createFetchInterceptor(),
      environment: "test",
      routes() {
        const handler = createGraphQLHandler(graphQLSchema, this.schema, { resolvers });
        for (const verb of ["get", "post", "put", "delete"] as const) {
          this[verb]("/graphql", handler);
        }
      },
    });
    const tables = trackWrites(parseMockSchema(server.schema).db);
    const client = createClient(url);
    const result = await exerciseClient(client, () => untilListeners(tables, 1));
    await untilListeners(tables, 0);
    await client[Symbol.asyncDispose]();
    server.shutdown();
    exercised[name] = { result, listeners: tables.listeners };
  }
  return exercised;
}

async function untilListeners(tables: { readonly listeners: number }, count: number) {
  for (let turn = 0; turn < 2_000 && tables.listeners !== count; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
