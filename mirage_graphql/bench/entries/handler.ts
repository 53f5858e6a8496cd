export { createGraphQLHandler } from "../../mod.ts";
