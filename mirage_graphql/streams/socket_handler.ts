import { addControls, type HandlerControls } from "../execution/controls.ts";
import type { Executor } from "../execution/executor.ts";
import type { MockRequest } from "../execution/graphql_request.ts";
import { checkHandshake, toMockRequest } from "./check_handshake.ts";
import { type ConnectionOptions, type Handshake, OPEN, type ServerSocket } from "./connection.ts";
import {
  createSocketService,
  negotiateProtocol,
  type ServedSocket,
  type SocketService,
} from "./socket_service.ts";

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
    const refused = checkHandshake(request, origins);
    if (refused !== undefined) return refused;
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

/**
 * A server's WebSocket with the events of the web standard: Deno's, or that of the package `ws`.
 */
export interface AcceptedSocket extends ServerSocket {
  /** The negotiated subprotocol; empty if there is none. */
  readonly protocol: string;
  /** Adds a listener of `open`, `message`, `close` or `error`. */
  addEventListener(
    type: "open" | "message" | "close" | "error",
    listener: SocketListener,
  ): void;
}

/** A listener of a socket's events. */
// the boundary: the event types of platforms differ
// deno-lint-ignore no-explicit-any
export type SocketListener = (event: any) => void;

/** Serves a socket, which may still be opening. */
function acceptSocket(
  service: SocketService,
  socket: AcceptedSocket,
  handshake: Handshake,
): void {
  let served: ServedSocket | undefined;
  const open = () => {
    served = service.open(socket, handshake);
  };
  if (socket.readyState === OPEN) open();
  else socket.addEventListener("open", open);
  socket.addEventListener("message", (event: { readonly data: unknown }) => {
    served?.receive(event.data);
  });
  socket.addEventListener("close", () => served?.end());
  // without a listener, an invalid frame would end the process; the event close follows
  socket.addEventListener("error", () => {});
}

/** The part of Deno that upgrades requests. */
interface Upgrader {
  upgradeWebSocket(request: Request, options: { readonly protocol?: string }): {
    readonly socket: AcceptedSocket;
    readonly response: Response;
  };
}

/**
 * Upgrades a request to a socket.
 *
 * @throws {Error} If the platform is not Deno.
 */
function upgradeRequest(
  request: Request,
  protocol: string | undefined,
): ReturnType<Upgrader["upgradeWebSocket"]> {
  const deno: unknown = Reflect.get(globalThis, "Deno");
  if (isUpgrader(deno)) return deno.upgradeWebSocket(request, { protocol });
  throw new Error(
    `Cannot upgrade "${request.url}": only Deno does; with another server, give its sockets ` +
      "to accept()",
  );
}

function isUpgrader(value: unknown): value is Upgrader {
  return typeof value === "object" && value !== null && "upgradeWebSocket" in value &&
    typeof value.upgradeWebSocket === "function";
}
