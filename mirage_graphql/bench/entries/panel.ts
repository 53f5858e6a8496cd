export { createGraphQLHandler } from "../../mod.ts";
export { mountPanel } from "../../panel.ts";
