import {
  createFetchHandlerFor,
  type FetchHandler,
  type FetchHandlerOptions,
} from "./fetch/fetch_handler_for.ts";
import { createMockExecutor, type MockOptions } from "./mock_executor.ts";
import type { MockSchema } from "./orm/mock_schema.ts";
import type { GraphQLSchemaSource } from "./schema/executable_schema.ts";

/** What a fetch handler may be told beside the two schemas. */
export interface MockFetchHandlerOptions<Context = unknown>
  extends MockOptions<Context>, FetchHandlerOptions {}

/** Makes a handler of fetch requests that answers from Mirage's database. */
export function createFetchHandler<Context = unknown>(
  graphQLSchema: GraphQLSchemaSource,
  mockSchema: MockSchema,
  options: MockFetchHandlerOptions<Context> = {},
): FetchHandler {
  const { batch, maxBodyBytes, cors, graphiql, onEventStream, ...mockOptions } = options;
  const executor = createMockExecutor(graphQLSchema, mockSchema, mockOptions);
  return createFetchHandlerFor(executor, { batch, maxBodyBytes, cors, graphiql, onEventStream });
}
