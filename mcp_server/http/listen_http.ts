import { HttpListener, type HttpListenerOptions } from "./http_listener.ts";
import { findServeConnection, type ServeConnection } from "./serve_connection.ts";

/** A server that listens. */
export interface HttpServer {
  /** Where clients connect to. */
  readonly address: Deno.NetAddr;
  /** Settles when it accepts no more connections. */
  readonly finished: Promise<void>;
  /** Accepts so many concurrent connections from now on. */
  allow(connections: number): void;
  /** Accepts no more connections, and resolves once the current requests are answered. */
  shutdown(): Promise<void>;
}

/** Where to listen; with a certificate and its key (PEM) for HTTPS. */
export interface ListenAddress {
  readonly hostname: string;
  readonly port: number;
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** How requests are answered, and what bounds the connections. */
export interface ListenOptions extends Omit<HttpListenerOptions, "serveConnection"> {
  /** Called if this version of Deno can't limit connections. */
  readonly onUnbounded: () => void;
  /** What serves a connection. @default {that of Deno} */
  readonly serveConnection?: ServeConnection | undefined;
}

/** Listens for HTTP; over TLS for HTTP/2 as well. Throws if it can't listen on the address. */
export function listenHttp({ tls, ...address }: ListenAddress, options: ListenOptions): HttpServer {
  const { serveConnection } = { serveConnection: findServeConnection(), ...options };
  if (serveConnection === undefined) {
    options.onUnbounded();
    return serveUnbounded({ ...address, ...tls }, options.handler);
  }
  const listener = tls === undefined
    ? Deno.listen(address)
    : Deno.listenTls({ ...address, ...tls, alpnProtocols: ["h2", "http/1.1"] });
  return new HttpListener(listener, { ...options, serveConnection });
}

const UNBOUNDED = { ofCaller() {}, expectBody() {}, expectReader() {}, expectNothing() {} };

/** Serves with `Deno.serve`, which doesn't report a request's version of HTTP. */
function serveUnbounded(
  address: { hostname: string; port: number; cert?: string; key?: string },
  handler: HttpListenerOptions["handler"],
): HttpServer {
  const overHttp2 = address.cert !== undefined;
  const options = { ...address, onListen: () => {} };
  const server = Deno.serve(options, (request, { remoteAddr, completed }) => {
    return handler(request, { remoteAddr, overHttp2, exchange: { ...UNBOUNDED, completed } });
  });
  return {
    address: server.addr,
    finished: server.finished,
    allow() {},
    shutdown: () => server.shutdown(),
  };
}
