export { createGraphQLHandler } from "../../core.ts";
export { hasura } from "../../every_dialect.ts";
