import type { Dialect } from "./dialect.ts";

/** The specifications of Relay: cursor connections, and nodes by their id. */
export const relay: Dialect = {
  name: "relay",
  list: { first: "first", last: "last", after: "after", before: "before" },
  byKey: "node",
};
