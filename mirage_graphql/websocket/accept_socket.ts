import type { Handshake } from "./connection.ts";
import { OPEN, type ServerSocket } from "./server_socket.ts";
import type { ServedSocket, SocketService } from "./socket_service.ts";

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
export function acceptSocket(
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
export function upgradeRequest(
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
