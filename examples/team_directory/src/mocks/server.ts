import { createFetchInterceptor, createMock } from "@trestle/mirage-graphql";
import { mountPanel } from "@trestle/mirage-graphql/panel";
import { createWebSocketInterceptor } from "@trestle/mirage-graphql/ws";
import { belongsTo, createServer, hasMany, Model } from "miragejs";
import { resolvers } from "./resolvers.ts";
import { addRoomRoutes } from "./room_routes.ts";
import graphQLSchema from "./schema.graphql?raw";
import { seeds } from "./seeds.ts";

/** Who is signed in. */
const VIEWER_ID = "1";

/**
 * Answers `fetch("/graphql")`, `new WebSocket("/graphql")` and `fetch("/api/...")` in the browser
 * from one database, and mounts the panel that shows it.
 */
export function startMockServer(): void {
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
  const mock = createMock(graphQLSchema, server.schema, {
    resolvers,
    context: { viewerId: VIEWER_ID },
  });
  addRoomRoutes(server, VIEWER_ID);
  server.post("/graphql", mock.route);
  createWebSocketInterceptor("/graphql", mock);
  server.db.loadData(seeds(new Date()));
  const { element } = mountPanel(mock, { server });
  element.style.setProperty("--mock-panel-bottom", "5rem"); // above the navigation of phones
}
