import { createMockExecutor, type MockOptions } from "./mock_executor.ts";
import type { MockSchema } from "./orm/mirage.ts";
import type { Executor } from "./request/executor.ts";
import type { MockRequest } from "./request/graphql_request.ts";
import { addControls, type HandlerControls } from "./request/handler_controls.ts";
import type { GraphQLSchemaSource } from "./schema/executable_schema.ts";
import { type AcceptedSocket, acceptSocket, upgradeRequest } from "./websocket/accept_socket.ts";
import { checkHandshake } from "./websocket/check_handshake.ts";
import type { ConnectionOptions } from "./websocket/connection.ts";
import { createSocketService, negotiateProtocol } from "./websocket/socket_service.ts";

export { isHandshake } from "./websocket/check_handshake.ts";

/** Options of GraphQL over WebSocket. */
export interface WebSocketOptions<Context = unknown>
  extends MockOptions<Context>, SocketHandlerOptions {}

/** Who may connect, and how. */
export interface SocketHandlerOptions extends ConnectionOptions {
  /** Origins whose pages may connect; others are answered with 403. @default {any origin} */
  readonly origins?: readonly string[] | undefined;
}

/** Answers GraphQL over WebSocket. */
export interface WebSocketHandler extends HandlerControls, Disposable {
  /** Upgrades a request on Deno; others are answered with 400 or 426. */
  (request: Request): Response;
  /**
   * Serves a socket that another server has accepted, such as one of the package `ws`; `request`
   * is `request` in the resolvers' context.
   */
  accept(socket: AcceptedSocket, request?: MockRequest): void;
  /** Closes all sockets with 1001, which ends their operations; new ones are still served. */
  close(): void;
}

/**
 * Creates a handler of WebSocket requests that responds from Mirage's database, by the protocols
 * `graphql-transport-ws` (of the package `graphql-ws`, which it needs) and `graphql-ws` (of
 * `subscriptions-transport-ws`). What a client sends on connecting is
 * `context.request.connectionParams`.
 *
 * A reader that leaves 1,000 messages unread is disconnected with 1013.
 *
 * @see https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 *
 * @example Serve subscriptions
 * ```ts
 * import { createServer } from "miragejs";
 * import { createClient } from "graphql-ws";
 * import { createWebSocketHandler } from "@trestle/mirage-graphql/ws";
 *
 * const graphQLSchema = "type Query { people: [Person!]! } type Person { id: ID! name: String! }";
 * const { schema, db } = createServer({ environment: "test" });
 * db.loadData({ people: [{ name: "Ada" }] });
 *
 * using handler = createWebSocketHandler(graphQLSchema, schema);
 * await using server = Deno.serve({ hostname: "127.0.0.1", port: 0 }, handler);
 *
 * const client = createClient({ url: `ws://127.0.0.1:${server.addr.port}/graphql` });
 * for await (const { data } of client.iterate({ query: "{ people { name } }" })) {
 *   console.log(data); // { people: [{ name: "Ada" }] }
 * }
 * await client.dispose();
 * ```
 */
export function createWebSocketHandler<Context = unknown>(
  graphQLSchema: GraphQLSchemaSource,
  mockSchema: MockSchema,
  options: WebSocketOptions<Context> = {},
): WebSocketHandler {
  const { onConnect, connectionInitTimeout, origins, ...mockOptions } = options;
  const executor = createMockExecutor(graphQLSchema, mockSchema, mockOptions);
  return createSocketHandler(executor, { onConnect, connectionInitTimeout, origins });
}

/** Creates the WebSocket handler of an executor. */
export function createSocketHandler(
  executor: Executor,
  options: SocketHandlerOptions = {},
): WebSocketHandler {
  const { origins, ...connectionOptions } = options;
  const service = createSocketService(executor, connectionOptions);
  const accept = (socket: AcceptedSocket, request: MockRequest = {}) =>
    acceptSocket(service, socket, { protocol: socket.protocol, request });
  const handle = (request: Request): Response => {
    const refused = checkHandshake(request);
    if (refused !== undefined) return refused;
    const origin = request.headers.get("origin");
    if (origin !== null && origins?.includes(origin) === false) {
      return new Response(`Origin "${origin}" is not allowed`, { status: 403 });
    }
    const offered = request.headers.get("sec-websocket-protocol")?.split(",") ?? [];
    const protocol = negotiateProtocol(offered.map((name) => name.trim()));
    const handshake = { protocol: protocol ?? "", request: toMockRequest(request) };
    const { socket, response } = upgradeRequest(request, protocol);
    acceptSocket(service, socket, handshake); // Deno's socket doesn't have its protocol
    return response;
  };
  const members = { accept, close: service.close, [Symbol.dispose]: service.close };
  return Object.assign(addControls(handle, executor), members);
}

/** The request as resolvers receive it; after the upgrade it can no longer be read. */
function toMockRequest({ url, headers }: Request): MockRequest {
  return {
    url,
    requestHeaders: Object.fromEntries(headers),
    queryParams: Object.fromEntries(new URL(url).searchParams),
    params: {},
  };
}
