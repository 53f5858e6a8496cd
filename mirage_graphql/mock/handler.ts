import type { BatchOptions } from "../http/http_request.ts";
import { createRouteHandler, type GraphQLHandler } from "../http/route_handler.ts";
import type { UploadOptions } from "../http/uploads.ts";
import { createMockExecutor, type MockOptions } from "./mock_executor.ts";
import type { PersistOptions } from "./persist.ts";
import type { MockSchema } from "../orm/mirage/mirage_schema.ts";
import type { GraphQLSchemaSource } from "../schema/executable_schema.ts";

/** Options of a handler. */
export interface HandlerOptions<Context = unknown>
  extends MockOptions<Context>, PersistOptions, BatchOptions, UploadOptions {}

/**
 * Creates a route handler that responds to GraphQL requests from Mirage's database: queries,
 * filters, relations, connections and the usual mutations need no resolver.
 *
 * @param graphQLSchema The schema: in the schema definition language, parsed, a list of such parts,
 * or a `GraphQLSchema`, which is not changed.
 * @param mockSchema The schema of the Mirage server: `this.schema` in `routes()`. Missing models
 * are registered there.
 * @throws {TypeError} If the schema has no member for a resolver.
 * @throws {Error} If a model can't be derived; the message contains the line to write.
 *
 * @example
 * ```ts
 * import { deepStrictEqual } from "node:assert/strict";
 * import { createServer } from "miragejs";
 * import { createGraphQLHandler } from "@trestle/mirage-graphql";
 *
 * const graphQLSchema = `
 *   type Person { id: ID!, name: String! }
 *   type Query { people(name: String): [Person!]! }
 * `;
 * const server = createServer({});
 * const handler = createGraphQLHandler(graphQLSchema, server.schema);
 * server.post("/graphql", handler);
 * server.db.loadData({ people: [{ name: "Ada" }] });
 *
 * const { data } = await handler(server.schema, { requestBody: `{ "query": "{ people { id name } }" }` });
 * deepStrictEqual(JSON.parse(JSON.stringify(data)), { people: [{ id: "1", name: "Ada" }] });
 * ```
 */
export function createGraphQLHandler<Context = unknown>(
  graphQLSchema: GraphQLSchemaSource,
  mockSchema: MockSchema,
  options: HandlerOptions<Context> = {},
): GraphQLHandler {
  return createRouteHandler(createMockExecutor(graphQLSchema, mockSchema, options), options);
}
