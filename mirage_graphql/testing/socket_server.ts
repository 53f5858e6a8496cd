import { parseMockSchema } from "../orm/mirage/mirage_schema.ts";
import { trackWrites } from "../orm/records/table_writes.ts";
import { createWebSocketHandler, type WebSocketOptions } from "../ws.ts";
import { createSeedServer } from "./seed_server.ts";

/** A schema whose fields show the request, wait for its end, and fail. */
export const graphQLSchema = `
  type Person { id: ID!, name: String! }
  type Query { people: [Person!]!, me: String, host: String, slow: String, teapot: String }
  type Mutation { createPerson(input: PersonInput!): Person! }
  input PersonInput { name: String! }
  type Subscription { personCreated: Person!, broken: String }
`;

/** Its resolvers; they call `onEnd` when the request of a `slow` has ended. */
function createResolvers(onEnd: () => void): WebSocketOptions["resolvers"] {
  return {
    Query: {
      me: (_obj, _args, { request }) => String(request.connectionParams?.user),
      host: (_obj, _args, { request }) => `${request.url} ${request.requestHeaders?.upgrade}`,
      slow: (_obj, _args, { request }) =>
        new Promise<string>((_, reject) => {
          request.signal?.addEventListener("abort", () => {
            onEnd();
            reject(request.signal?.reason);
          });
        }),
      teapot() {
        throw new Response("stout", { status: 418 });
      },
    },
    Subscription: {
      broken: {
        async *subscribe() {
          yield await Promise.reject(new Error("out of order"));
        },
      },
    },
  };
}

/** The handler behind Deno.serve, with the number of its remaining listeners. */
export function startSocketServer(options: WebSocketOptions = {}) {
  const mock = createSeedServer();
  const tables = trackWrites(parseMockSchema(mock.schema).db);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const resolvers = createResolvers(resolve);
  const handler = createWebSocketHandler(graphQLSchema, mock.schema, { resolvers, ...options });
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handler);
  return {
    mock,
    tables,
    handler,
    /** Resolves when the request of a `slow` has ended. */
    ended,
    url: `ws://127.0.0.1:${server.addr.port}/graphql?token=1`,
    async [Symbol.asyncDispose]() {
      handler.close();
      await server.shutdown();
    },
  };
}
