import { createFetchInterceptor, createGraphQLHandler } from "@trestle/mirage-graphql";
import { createWebSocketInterceptor } from "@trestle/mirage-graphql/ws";
import { belongsTo, createServer, hasMany, Model } from "miragejs";
import type { InjectionKey } from "vue";
import type { MockControls } from "./controls.ts";
import { logRequests, type RequestLog } from "./request_log.ts";
import { resolvers } from "./resolvers.ts";
import { createRoomRoutes } from "./room_routes.ts";
import graphQLSchema from "./schema.graphql?raw";
import { seeds } from "./seeds.ts";

/** Who is signed in. */
const VIEWER_ID = "1";

/** What the panel shows of the mock server. */
export interface MockServer {
  readonly controls: MockControls;
  readonly log: RequestLog;
}

/** The key by which the panel finds the mock server. */
export const MOCK_SERVER: InjectionKey<MockServer> = Symbol("mock server");

/**
 * Answers `fetch("/graphql")`, `new WebSocket("/graphql")` and `fetch("/api/...")` in the browser
 * from one database.
 */
export function startMockServer(): MockServer {
  const server = createServer({
    // Answers `fetch`, streams included; Mirage alone can't stream.
    ...createFetchInterceptor(),
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
  const rooms = createRoomRoutes(server, VIEWER_ID);
  server.post("/graphql", handler);
  createWebSocketInterceptor("/graphql", graphQLSchema, server.schema, options);
  server.db.loadData(seeds(new Date()));

  return {
    log: logRequests(),
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
    text: "Your notes from the harbor visit saved me a whole afternoon.",
  };
}
