export { createGraphQLHandler } from "../../core.ts";
