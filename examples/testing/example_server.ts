import { belongsTo, createServer, hasMany, Model } from "miragejs";
import { createFetchHandler } from "../../mirage_graphql/mod.ts";
import { createWebSocketHandler } from "../../mirage_graphql/ws.ts";
import { EXAMPLE_FOLDER } from "../../scripts/example/example_app.ts";
import { serveFolder } from "../../test_support/browser/serve_page.ts";
import { ROOT } from "../../test_support/root.ts";
import { seeds } from "../team_directory/src/mocks/seeds.ts";

const SCHEMA = `${ROOT}/${EXAMPLE_FOLDER}/src/mocks/schema.graphql`;

/** A real server of the app, with the schema and the records of its mock. */
export interface ExampleServer extends AsyncDisposable {
  /** Address of the app, without a slash at the end. */
  readonly url: string;
  /** Creates a shoutout to the person with the id "1" on the server. */
  postShoutout(text: string): void;
}

/** Serves the files of the app, and `/graphql` over HTTP and WebSocket. */
export async function startExampleServer(site: string): Promise<ExampleServer> {
  const graphQLSchema = await Deno.readTextFile(SCHEMA);
  const mirage = createServer({
    environment: "test",
    models: {
      person: Model.extend({
        team: belongsTo("team", { inverse: "members" }),
        received: hasMany("shoutout", { inverse: "to" }),
      }),
    },
  });
  const http = createFetchHandler(graphQLSchema, mirage.schema);
  const sockets = createWebSocketHandler(graphQLSchema, mirage.schema);
  mirage.db.loadData(seeds(new Date()));
  const server = serveFolder(site, {
    handle(request) {
      if (new URL(request.url).pathname !== "/graphql") return undefined;
      return request.headers.has("upgrade") ? sockets(request) : http(request);
    },
  });
  return {
    url: server.url,
    postShoutout(text) {
      const shoutout = { at: new Date().toISOString(), fromId: "7", toId: "1", text };
      mirage.create("shoutout" as never, shoutout as never);
    },
    async [Symbol.asyncDispose]() {
      sockets.close();
      await server[Symbol.asyncDispose]();
    },
  };
}
