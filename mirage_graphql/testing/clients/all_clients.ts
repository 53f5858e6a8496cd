import { APOLLO_3, APOLLO_4 } from "./apollo_clients.ts";
import type { HttpClient } from "./http_clients.ts";
import { GRAPHQL_REQUEST, URQL, VILLUS } from "./other_clients.ts";

/** The clients of the table in the documentation, in its order. */
export const ALL_CLIENTS: readonly HttpClient[] = [
  APOLLO_4,
  APOLLO_3,
  URQL,
  GRAPHQL_REQUEST,
  VILLUS,
];
