import type { Peer } from "./disconnect_watcher.ts";

/** What Deno reports about a request, in addition to the request itself. */
export interface ServeInfo {
  readonly remoteAddr: Peer;
  /** Settles when the response has been sent, or can't be sent any more. */
  readonly completed: Promise<void>;
}

/** Answers one request. */
export type FetchHandler = (request: Request, info: ServeInfo) => Promise<Response>;

/** HTTP on one connection. */
export interface ServedConnection {
  /** Settles when the connection is closed. */
  readonly finished: Promise<void>;
  /** Answers the current requests, then closes the connection. */
  shutdown(): Promise<void>;
}

/** The part of an `AbortSignal` that the function below uses. */
export interface CancelSource {
  addEventListener(type: "abort", cancel: () => void): void;
}

/** Serves HTTP/1.1, or HTTP/2 if the client chose it in the TLS handshake, on one connection. */
export type ServeConnection = (
  connection: Deno.Conn,
  cancelSource: CancelSource,
  handler: FetchHandler,
  onError: (error: unknown) => Response,
  onListen: () => void,
) => ServedConnection;

/**
 * Finds the function with which `Deno.serve` serves a connection. `Deno.serve` itself accepts
 * without a cap or time-outs, and ends at the first connection that it can't accept. The function
 * is internal to Deno, so another version may lack it: then returns `undefined`.
 */
export function findServeConnection(): ServeConnection | undefined {
  const key: unknown = Reflect.get(Deno, "internal");
  const internals: unknown = typeof key === "symbol" ? Reflect.get(Deno, key) : undefined;
  if (typeof internals !== "object" || internals === null) return undefined;
  const serve: unknown = Reflect.get(internals, "serveHttpOnConnection");
  return typeof serve === "function" ? serve as ServeConnection : undefined;
}
