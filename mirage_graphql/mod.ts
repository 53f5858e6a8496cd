export { createGraphQLHandler } from "./handler.ts";
export { mockGraphQLFieldResolver } from "./resolvers/field_resolver.ts";
