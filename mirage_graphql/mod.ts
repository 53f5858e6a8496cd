/**
 * Answers GraphQL requests from the in-memory database of a MirageJS mock server.
 *
 * @module
 */
export * from "./core.ts";
export {
  createFetchHandler,
  createGraphQLHandler,
  createGraphQLSubscriptions,
  createMock,
} from "./common_functions.ts";
