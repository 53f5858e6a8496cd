import { addControls, type HandlerControls } from "../execution/controls.ts";
import type { Executor } from "../execution/executor.ts";
import type { MockRequest } from "../execution/graphql_request.ts";
import { type Refusal, refuse } from "../execution/outcome.ts";
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

/** Whether a request asks to upgrade to a WebSocket. */
export function isHandshake({ headers }: Request): boolean {
  return headers.get("upgrade")?.toLowerCase() === "websocket";
}

/**
 * The response to a request that can't be upgraded to a WebSocket; `undefined` for a handshake by
 * RFC 6455, section 4.2.1.
 */
function checkHandshake(request: Request): Response | undefined {
  if (!isHandshake(request)) return new Response(NO_HANDSHAKE, { status: 426, headers: UPGRADE });
  const refusal = checkHost(request);
  if (refusal !== undefined) return new Response(refusal.reason, { status: refusal.status });
  const { method, headers } = request;
  if (method !== "GET") return new Response(`${WRONG} its method is ${method}`, { status: 400 });
  if (!/(^|,)\s*upgrade\s*(,|$)/i.test(headers.get("connection") ?? "")) {
    return new Response(`${WRONG} its Connection must be "Upgrade"`, { status: 400 });
  }
  if (!/^[+/0-9a-z]{22}==$/i.test(headers.get("sec-websocket-key") ?? "")) {
    return new Response(`${WRONG} its Sec-WebSocket-Key must have 16 bytes`, { status: 400 });
  }
  const version = headers.get("sec-websocket-version");
  if (version === VERSION) return undefined;
  return new Response(`${WRONG} its Sec-WebSocket-Version must be ${VERSION}`, {
    status: 426,
    headers: { ...UPGRADE, "Sec-WebSocket-Version": VERSION },
  });
}

const VERSION = "13";
const UPGRADE = { Upgrade: "websocket", Connection: "Upgrade" };
const NO_HANDSHAKE = "Cannot answer the request: it is not a WebSocket handshake";
const WRONG = "Cannot open a WebSocket:";

/** Refuses a request whose address can't be read, because the client has sent a wrong `Host`. */
export function checkHost({ url, headers }: Request): Refusal | undefined {
  const host = headers.get("host") ?? "";
  if (URL.canParse(url) && !/[\s/?#@\\]/.test(host)) return undefined;
  return refuse(
    400,
    `Cannot read the address "${url}": its Host must be a name with or without a port`,
  );
}
