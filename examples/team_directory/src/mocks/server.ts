import { createGraphQLHandler, createGraphQLSubscriptions } from "@trestle/mirage-graphql";
import { belongsTo, createServer, hasMany, Model } from "miragejs";
import type { MockControls } from "./controls.ts";
import { type Interceptor, logRequests, type RequestLog } from "./request_log.ts";
import { resolvers } from "./resolvers.ts";
import { createRoomRoutes } from "./room_routes.ts";
import graphQLSchema from "./schema.graphql?raw";
import { seeds } from "./seeds.ts";

/** Who is signed in. */
const VIEWER_ID = "1";

/** What the app needs from a server; here all of it runs in the browser. */
export interface MockServer {
  /** Subscriptions, as a client for server-sent events would offer them. */
  readonly subscribe: ReturnType<typeof createGraphQLSubscriptions>["subscribe"];
  readonly controls: MockControls;
  readonly log: RequestLog;
}

/** Answers `fetch("/graphql")` and `/api/...` in the browser from one database. */
export function startMockServer(): MockServer {
  const server = createServer({
    timing: 300,
    // All other models are derived from the GraphQL schema; a shoutout leads to two people.
    models: {
      person: Model.extend({
        team: belongsTo("team", { inverse: "members" }),
        received: hasMany("shoutout", { inverse: "to" }),
      }),
      room: Model,
      booking: Model,
    },
  });
  server.logging = false; // Mirage 0.1.48 ignores it as an option
  const options = { resolvers, context: { viewerId: VIEWER_ID } };
  const handler = createGraphQLHandler(graphQLSchema, server.schema, options);
  const { subscribe } = createGraphQLSubscriptions(graphQLSchema, server.schema, options);
  const rooms = createRoomRoutes(server, VIEWER_ID);
  server.post("/graphql", handler);
  server.db.loadData(seeds(new Date()));

  return {
    subscribe,
    log: logRequests(server.pretender as object as Interceptor),
    controls: {
      setDelay: (ms) => server.timing = ms,
      failNextGraphQL: () => handler.failNext("*", new Error("The directory is out of reach.")),
      failNextRest: rooms.failNext,
      postAsColleague() {
        server.create("shoutout" as never, colleagueShoutout() as never);
      },
    },
  };
}

function colleagueShoutout(): object {
  return {
    at: new Date().toISOString(),
    fromId: "7",
    toId: VIEWER_ID,
    text: "Your notes from the harbour visit saved me a whole afternoon.",
  };
}
