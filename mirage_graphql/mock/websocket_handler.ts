import { withCommon } from "./common_conventions.ts";
import { createMockExecutor, type MockOptions } from "./mock_executor.ts";
import type { MockSchema } from "../orm/mirage/mirage_schema.ts";
import type { GraphQLSchemaSource } from "../schema/executable_schema.ts";
import {
  createSocketHandler,
  type SocketHandlerOptions,
  type WebSocketHandler,
} from "../streams/socket_handler.ts";

export type { SocketHandlerOptions, WebSocketHandler } from "../streams/socket_handler.ts";

/** Options of GraphQL over WebSocket. */
export interface WebSocketOptions<Context = unknown>
  extends MockOptions<Context>, SocketHandlerOptions {}

/**
 * Creates a handler of WebSocket requests that responds from Mirage's database, by the protocols
 * `graphql-transport-ws` (of the package `graphql-ws`, which it needs) and `graphql-ws` (of
 * `subscriptions-transport-ws`). What a client sends on connecting is
 * `context.request.connectionParams`.
 *
 * A reader that leaves 1,000 messages unread is disconnected with 1013.
 *
 * @see https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 *
 * @example Serve subscriptions
 * ```ts
 * import { createServer } from "miragejs";
 * import { createClient } from "graphql-ws";
 * import { createWebSocketHandler } from "@trestle/mirage-graphql/ws";
 *
 * const graphQLSchema = "type Query { people: [Person!]! } type Person { id: ID! name: String! }";
 * const { schema, db } = createServer({ environment: "test" });
 * db.loadData({ people: [{ name: "Ada" }] });
 *
 * using handler = createWebSocketHandler(graphQLSchema, schema);
 * await using server = Deno.serve({ hostname: "127.0.0.1", port: 0 }, handler);
 *
 * const client = createClient({ url: `ws://127.0.0.1:${server.addr.port}/graphql` });
 * for await (const { data } of client.iterate({ query: "{ people { name } }" })) {
 *   console.log(data); // { people: [{ name: "Ada" }] }
 * }
 * await client.dispose();
 * ```
 */
export function createWebSocketHandler<Context = unknown>(
  graphQLSchema: GraphQLSchemaSource,
  mockSchema: MockSchema,
  options: WebSocketOptions<Context> = {},
): WebSocketHandler {
  return createSocketHandler(
    createMockExecutor(graphQLSchema, mockSchema, withCommon(options)),
    options,
  );
}
