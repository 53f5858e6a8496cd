import { APOLLO_3, APOLLO_4 } from "./apollo_clients.ts";
import type { HttpClient } from "./http_clients.ts";
import { GRAPHQL_REQUEST, URQL, VILLUS } from "./other_clients.ts";
import { RELAY } from "./relay_http_client.ts";
import { TANSTACK } from "./tanstack_client.ts";

/** The clients of the table in the documentation, in its order. */
export const ALL_CLIENTS: readonly HttpClient[] = [
  APOLLO_4,
  APOLLO_3,
  URQL,
  RELAY,
  GRAPHQL_REQUEST,
  TANSTACK,
  VILLUS,
];
