import { withCommon } from "./mock/common_conventions.ts";
import {
  createFetchHandler as createCoreFetchHandler,
  createGraphQLHandler as createCoreGraphQLHandler,
  createGraphQLSubscriptions as createCoreGraphQLSubscriptions,
  createMock as createCoreMock,
  type CreateMockOptions,
  type FetchHandler,
  type GraphQLHandler,
  type GraphQLSchemaSource,
  type GraphQLSubscriptions,
  type HandlerOptions,
  type Mock,
  type MockFetchHandlerOptions,
  type MockSchema,
  type SubscriptionsOptions,
} from "./core.ts";

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
  return createCoreGraphQLHandler(graphQLSchema, mockSchema, withCommon(options));
}

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
  return createCoreFetchHandler(graphQLSchema, mockSchema, withCommon(options));
}

/**
 * Creates subscriptions to the writes of Mirage's database, wherever they come from: mutations,
 * REST routes, `server.create()`, `db.people.insert()`. A field is recognized by its name and its
 * type: `personCreated`, `personUpdated` and `personDeleted` return a `Person`, or an `ID`, or a
 * payload with one field of that type; others need a resolver, `{ subscribe, resolve }`. Arguments
 * filter like those of queries.
 *
 * The writes of one synchronous block of code are reported after it, as one event per record. At
 * most 10,000 events wait to be read; after that the iterator rejects with a `RangeError`.
 *
 * @param graphQLSchema The schema, as for `createGraphQLHandler`.
 * @param mockSchema The schema of the Mirage server.
 *
 * @example
 * ```ts
 * import { deepStrictEqual } from "node:assert/strict";
 * import { createServer } from "miragejs";
 * import { createGraphQLSubscriptions } from "@trestle/mirage-graphql";
 *
 * const graphQLSchema = `
 *   type Person { id: ID!, name: String! }
 *   type Query { people: [Person!]! }
 *   type Subscription { personCreated: Person! }
 * `;
 * const server = createServer({});
 * const subscriptions = createGraphQLSubscriptions(graphQLSchema, server.schema);
 * const results = subscriptions.subscribe({ query: "subscription { personCreated { name } }" });
 * server.db.loadData({ people: [{ name: "Ada" }] }); // or create(), a route, a mutation
 *
 * for await (const { data } of results) {
 *   deepStrictEqual(JSON.parse(JSON.stringify(data)), { personCreated: { name: "Ada" } });
 *   break; // ends the subscription
 * }
 * ```
 */
export function createGraphQLSubscriptions<Context = unknown>(
  graphQLSchema: GraphQLSchemaSource,
  mockSchema: MockSchema,
  options: SubscriptionsOptions<Context> = {},
): GraphQLSubscriptions {
  return createCoreGraphQLSubscriptions(graphQLSchema, mockSchema, withCommon(options));
}

/**
 * Creates a GraphQL mock that responds from Mirage's database, whatever the transport: as a route of a
 * Mirage server, to fetch requests, over WebSocket, to MSW, or called directly.
 *
 * @param graphQLSchema The schema, as for `createGraphQLHandler`.
 * @param mockSchema The schema of the Mirage server. Without one, the mock has a server of its own,
 * which intercepts no requests.
 * @throws {TypeError} If the schema has no member for a resolver.
 * @throws {Error} If a model can't be derived; the message contains the line to write.
 *
 * @example Plan a failure, whichever transport meets it
 * ```ts
 * import { deepStrictEqual, strictEqual } from "node:assert/strict";
 * import { createMock } from "@trestle/mirage-graphql";
 *
 * const mock = createMock(`
 *   type Person { id: ID! name: String! }
 *   type Query { people: [Person!]! }
 * `);
 * mock.db.loadData({ people: [{ name: "Ada" }] });
 *
 * mock.failNext("*", 503);
 * const url = "https://api.test/graphql?query={people{name}}";
 * strictEqual((await mock.fetch(new Request(url))).status, 503);
 *
 * deepStrictEqual(await mock.query("query People { people { name } }"), { people: [{ name: "Ada" }] });
 * deepStrictEqual(mock.operations.map(({ name }) => name), [undefined, "People"]);
 * ```
 */
export function createMock<Context = unknown>(
  graphQLSchema: GraphQLSchemaSource,
  mockSchema?: MockSchema,
  options: CreateMockOptions<Context> = {},
): Mock {
  return createCoreMock(graphQLSchema, mockSchema, withCommon(options));
}
