import type { Executor } from "../request/executor.ts";
import type { MockRequest } from "../request/graphql_request.ts";
import { addControls, type HandlerControls } from "../request/handler_controls.ts";
import { type AcceptedSocket, acceptSocket, upgradeRequest } from "./accept_socket.ts";
import { checkHandshake, negotiateProtocol } from "./check_handshake.ts";
import type { ConnectionOptions } from "./connection.ts";
import { createSocketService } from "./socket_service.ts";

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

/** Upgrades requests and serves their sockets; pages of other origins than those given get 403. */
export function createSocketHandler(
  executor: Executor,
  { origins, ...options }: SocketHandlerOptions = {},
): WebSocketHandler {
  const service = createSocketService(executor, options);
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
