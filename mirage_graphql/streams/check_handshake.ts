import type { MockRequest } from "../execution/graphql_request.ts";
import { type Refusal, refuse } from "../execution/outcome.ts";

/** A request without its body; its address may be one that no `Request` can have. */
export type RequestHead = Pick<Request, "method" | "url" | "headers">;

/** Whether a request asks to upgrade to a WebSocket. */
export function isHandshake({ headers }: Pick<RequestHead, "headers">): boolean {
  return headers.get("upgrade")?.toLowerCase() === "websocket";
}

/**
 * The response to a request that can't be upgraded to a WebSocket, or comes from a page of another
 * origin than those given; `undefined` for a handshake by RFC 6455, section 4.2.1.
 */
export function checkHandshake(
  head: RequestHead,
  origins?: readonly string[],
): Response | undefined {
  if (!isHandshake(head)) return new Response(NO_HANDSHAKE, { status: 426, headers: UPGRADE });
  const refusal = checkHost(head);
  if (refusal !== undefined) return new Response(refusal.reason, { status: refusal.status });
  const { method, headers } = head;
  if (method !== "GET") return new Response(`${WRONG} its method is ${method}`, { status: 400 });
  if (!/(^|,)\s*upgrade\s*(,|$)/i.test(headers.get("connection") ?? "")) {
    return new Response(`${WRONG} its Connection must be "Upgrade"`, { status: 400 });
  }
  if (!/^[+/0-9a-z]{22}==$/i.test(headers.get("sec-websocket-key") ?? "")) {
    return new Response(`${WRONG} its Sec-WebSocket-Key must have 16 bytes`, { status: 400 });
  }
  if (headers.get("sec-websocket-version") !== VERSION) {
    return new Response(`${WRONG} its Sec-WebSocket-Version must be ${VERSION}`, {
      status: 426,
      headers: { ...UPGRADE, "Sec-WebSocket-Version": VERSION },
    });
  }
  const origin = headers.get("origin");
  if (origin === null || origins?.includes(origin) !== false) return undefined;
  return new Response(`Origin "${origin}" is not allowed`, { status: 403 });
}

const VERSION = "13";
const UPGRADE = { Upgrade: "websocket", Connection: "Upgrade" };
const NO_HANDSHAKE = "Cannot answer the request: it is not a WebSocket handshake";
const WRONG = "Cannot open a WebSocket:";

/** Refuses a request whose address can't be read, because the client has sent a wrong `Host`. */
export function checkHost({ url, headers }: Pick<RequestHead, "url" | "headers">):
  | Refusal
  | undefined {
  const host = headers.get("host") ?? "";
  if (URL.canParse(url) && !/[\s/?#@\\]/.test(host)) return undefined;
  return refuse(
    400,
    `Cannot read the address "${url}": its Host must be a name with or without a port`,
  );
}

/** The request of a handshake as resolvers receive it; after the upgrade it can't be read. */
export function toMockRequest({ url, headers }: Pick<RequestHead, "url" | "headers">): MockRequest {
  return {
    url,
    requestHeaders: Object.fromEntries(headers),
    queryParams: Object.fromEntries(new URL(url).searchParams),
    params: {},
  };
}
