import {
  createFetchHandlerFor,
  type FetchHandler,
  type FetchHandlerOptions,
} from "../http/fetch_handler.ts";
import { createMockExecutor, type MockOptions } from "./mock_executor.ts";
import type { MockSchema } from "../orm/mirage/mirage_schema.ts";
import type { GraphQLSchemaSource } from "../schema/executable_schema.ts";

/** Options of a fetch handler. */
export interface MockFetchHandlerOptions<Context = unknown>
  extends MockOptions<Context>, FetchHandlerOptions {}

/**
 * Creates a handler of fetch requests that responds from Mirage's database: for `Deno.serve`, a
 * service worker, or a test that needs no server. A browser that opens its address gets GraphiQL if
 * the package `@graphql-yoga/render-graphiql` is installed. Subscriptions are streamed by the
 * graphql-sse protocol, and as `multipart/mixed` to Apollo Client's `HttpLink`.
 *
 * @see https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
 *
 * @example Serve a mock
 * ```ts
 * import { createServer } from "miragejs";
 * import { createFetchHandler } from "@trestle/mirage-graphql";
 *
 * const graphQLSchema = "type Query { people: [Person!]! } type Person { id: ID! name: String! }";
 * const { schema, db } = createServer({ environment: "test" });
 * const handler = createFetchHandler(graphQLSchema, schema, { cors: true });
 * db.loadData({ people: [{ name: "Ada" }] });
 *
 * await using server = Deno.serve({ hostname: "127.0.0.1", port: 0 }, handler);
 * const response = await fetch(`http://127.0.0.1:${server.addr.port}/?query={people{name}}`);
 * console.log(await response.json()); // { data: { people: [{ name: "Ada" }] } }
 * ```
 */
export function createFetchHandler<Context = unknown>(
  graphQLSchema: GraphQLSchemaSource,
  mockSchema: MockSchema,
  options: MockFetchHandlerOptions<Context> = {},
): FetchHandler {
  return createFetchHandlerFor(
    createMockExecutor(graphQLSchema, mockSchema, options),
    options,
  );
}
