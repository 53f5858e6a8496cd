/**
 * Answers GraphQL requests from the in-memory database of a MirageJS mock server.
 *
 * @module
 */
export { createGraphQLHandler, type HandlerOptions } from "./handler.ts";
export { createFetchHandler, type MockFetchHandlerOptions } from "./fetch_handler.ts";
export { createFetchInterceptor } from "./interceptor/fetch_interceptor.ts";
export {
  mockGraphQLFieldResolver,
  mockGraphQLFieldResolver as mirageGraphQLFieldResolver,
} from "./resolvers/field_resolver.ts";
export type { MockSchema } from "./orm/mock_schema.ts";
