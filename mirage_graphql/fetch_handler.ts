import { createEventStreamHandler } from "./fetch/event_stream_handler.ts";
import {
  createFetchHandlerFor,
  type FetchHandler,
  type FetchHandlerOptions,
} from "./fetch/fetch_handler_for.ts";
import { createMockExecutor, type MockOptions } from "./mock_executor.ts";
import type { MockSchema } from "./orm/mock_schema.ts";
import type { GraphQLSchemaSource } from "./schema/executable_schema.ts";
import { createSubscriber } from "./subscriptions/subscriber.ts";

/** What a fetch handler may be told beside the two schemas. */
export interface MockFetchHandlerOptions<Context = unknown>
  extends MockOptions<Context>, FetchHandlerOptions {}

/**
 * Makes a handler of fetch requests that answers from Mirage's database: for `Deno.serve`, service
 * workers and MSW. Subscriptions, and other operations of clients that ask for it, are answered with
 * server-sent events by the graphql-sse protocol, each with a stream of its own.
 *
 * @see https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
 */
export function createFetchHandler<Context = unknown>(
  graphQLSchema: GraphQLSchemaSource,
  mockSchema: MockSchema,
  options: MockFetchHandlerOptions<Context> = {},
): FetchHandler {
  const { batch, maxBodyBytes, cors, graphiql, onEventStream, ...mockOptions } = options;
  const executor = createMockExecutor(graphQLSchema, mockSchema, mockOptions);
  const subscriber = createSubscriber(executor, { root: options.root });
  return createFetchHandlerFor(executor, {
    batch,
    maxBodyBytes,
    cors,
    graphiql,
    onEventStream: onEventStream ?? createEventStreamHandler(executor, subscriber),
  });
}
