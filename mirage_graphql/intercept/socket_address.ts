import type { MockRequest } from "../execution/graphql_request.ts";
import { checkProtocols, type SocketAddress } from "./mock_socket.ts";
import { RouteTable } from "./routes.ts";

/** Tests addresses, as `URLPattern` and `RegExp` do. */
export interface AddressPattern {
  /** Whether an address such as `wss://localhost/graphql` matches. */
  test(url: string): boolean;
}

/**
 * Which sockets to answer: a path, an absolute URL, either with segments such as `:id` and
 * `*rest`; or a pattern.
 */
export type WebSocketAddress = string | URL | AddressPattern;

/**
 * Parses an address; a path is relative to `origin`.
 *
 * @throws {TypeError} If it is not an address.
 */
export function parseAddress(
  address: WebSocketAddress,
  origin: string,
): (url: URL) => boolean {
  if (address instanceof RegExp) return ({ href }) => href.search(address) >= 0;
  if (typeof address === "object" && "test" in address) return ({ href }) => address.test(href);
  const table = new RouteTable<true>(toHttp(origin));
  try {
    table.add("GET", toHttp(String(address)), true);
  } catch (cause) {
    throw new TypeError(
      `Cannot intercept "${address}": it must be a path, a URL, a RegExp or a URLPattern`,
      { cause },
    );
  }
  return ({ href }) => table.find("GET", new URL(toHttp(href))) !== undefined;
}

/** Converts a WebSocket address to one of HTTP. */
function toHttp(url: string): string {
  return url.replace(/^ws(?=s?:)/i, "http");
}

/**
 * The URL that is passed to the constructor (WebSockets standard, "new WebSocket"); `undefined`
 * if that of the platform would reject it.
 */
export function parseSocketUrl(input: unknown, base: string): URL | undefined {
  if (!URL.canParse(String(input), base)) return undefined;
  const url = new URL(String(input), base);
  const socketUrl = new URL(url.href.replace(/^http(?=s?:)/, "ws"));
  const isSocket = socketUrl.protocol === "ws:" || socketUrl.protocol === "wss:";
  return isSocket && socketUrl.hash === "" ? socketUrl : undefined;
}

/** The second argument: protocols, or the options of Deno and Node. */
interface SocketInit {
  readonly protocols?: string | Iterable<string>;
  readonly headers?: HeadersInit;
}

/**
 * The arguments of a socket.
 *
 * @throws {DOMException} If a subprotocol is invalid.
 */
export function toSocketAddress(url: URL, second: unknown): SocketAddress {
  const init = isInit(second) ? second : { protocols: second };
  const protocols = checkProtocols(listOf(init.protocols));
  const headers = isInit(second) ? Object.fromEntries(new Headers(second.headers)) : {};
  return { url, protocols, request: toRequest(url, headers) };
}

function isInit(value: unknown): value is SocketInit {
  return typeof value === "object" && value !== null && !(Symbol.iterator in value);
}

function listOf(protocols: unknown): string[] {
  if (protocols === undefined) return [];
  const isList = typeof protocols === "object" && protocols !== null &&
    Symbol.iterator in protocols;
  return isList ? Array.from(protocols as Iterable<unknown>, String) : [String(protocols)];
}

function toRequest(url: URL, requestHeaders: Record<string, string>): MockRequest {
  return {
    url: toHttp(url.href),
    requestHeaders,
    queryParams: Object.fromEntries(url.searchParams),
    params: {},
  };
}
