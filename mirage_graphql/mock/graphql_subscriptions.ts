import type { ExecutableRequest } from "../execution/graphql_request.ts";
import { createMockExecutor, type MockOptions } from "./mock_executor.ts";
import type { MockSchema } from "../orm/mirage/mirage_schema.ts";
import type { GraphQLSchemaSource } from "../schema/executable_schema.ts";
import { subscribe, type SubscribeOptions } from "../streams/deliver_streams.ts";
import type { ResultStream } from "../streams/result_stream.ts";

/** How subscriptions are resolved and run. */
export type SubscriptionsOptions<Context = unknown> = Omit<
  MockOptions<Context>,
  "latency" | "maxOperations"
>;

/** Runs subscriptions against one Mirage server. */
export interface GraphQLSubscriptions {
  /**
   * Starts a subscription; its results can be read from then on. If it is rejected, the only result
   * has the errors.
   */
  subscribe(request: ExecutableRequest, options?: SubscribeOptions): ResultStream;
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
  const executor = createMockExecutor(graphQLSchema, mockSchema, options);
  return { subscribe: (request, options) => subscribe(executor, request, options) };
}
