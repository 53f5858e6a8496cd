import { checkHost } from "../request/check_host.ts";

/** The subprotocol of the package `graphql-ws`. */
export const TRANSPORT_WS = "graphql-transport-ws";
/** The subprotocol of `subscriptions-transport-ws`. */
export const LEGACY_WS = "graphql-ws";

/** The first supported subprotocol of a client's list; `undefined` if none is. */
export function negotiateProtocol(protocols: readonly string[]): string | undefined {
  return protocols.find((protocol) => protocol === TRANSPORT_WS || protocol === LEGACY_WS);
}

/** Whether a request asks to upgrade to a WebSocket. */
export function isHandshake({ headers }: Request): boolean {
  return headers.get("upgrade")?.toLowerCase() === "websocket";
}

/**
 * The response to a request that can't be upgraded to a WebSocket; `undefined` for a handshake by
 * RFC 6455, section 4.2.1.
 */
export function checkHandshake(request: Request): Response | undefined {
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
