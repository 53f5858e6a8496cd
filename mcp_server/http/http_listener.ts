import {
  type ConnectionTimeouts,
  findServeConnection,
  HttpConnection,
  type RequestHandler,
  type ServeConnection,
  type Spare,
  SPARE_KINDS,
} from "./http_connection.ts";
import { type Config, ConfigError } from "../settings/config.ts";
import { within } from "../shared/concurrency.ts";
import { messageOf } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";

/** How connections are accepted and served. */
interface HttpListenerOptions {
  readonly handler: RequestHandler;
  readonly serveConnection: ServeConnection;
  readonly timeouts: ConnectionTimeouts;
  /** Concurrent connections; further clients wait until one is closed, or more are allowed. */
  readonly maxConnections: number;
  /** How many of them there may be until more are allowed. @default {maxConnections} */
  readonly firstConnections?: number;
  /** Called when a connection can't be accepted, at most once in 10 s. */
  readonly onAcceptError: (error: unknown) => void;
}

/** The part of a TCP listener, with or without TLS, that is used here. */
interface ConnectionListener {
  readonly addr: Deno.NetAddr;
  accept(): Promise<Deno.Conn>;
  close(): void;
}

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
interface ListenAddress {
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

/** How long accepting pauses after a failure; the pause doubles from failure to failure. */
const PAUSE = { firstMs: 5, longestMs: 1_000 };
/**
 * How long a connection of each kind is kept at the cap: a client may need some round trips until its
 * first request is here, a response may still be in transit, and a token may have to be verified.
 */
const SPARE_MS: Readonly<Record<Spare["kind"], number>> = {
  silent: 500,
  idle: 100,
  unknown: 2_000,
};
/** How often a full server looks for a connection that it may close. */
const LOOK_MS = 100;
const REPORT_EVERY_MS = 10_000;
/**
 * The longest interval of checks for overdue clients; otherwise a quarter of the shortest time-out.
 */
const LONGEST_CHECK_MS = 1_000;

/**
 * Accepts connections and serves HTTP on them. At the cap, and if the system has no free
 * descriptor, closes the one that has waited longest for its first request, else for its next one,
 * else one that no known caller uses, and pauses accepting. So whoever has a token finds a place.
 */
export class HttpListener implements HttpServer {
  readonly #listener: ConnectionListener;
  readonly #options: HttpListenerOptions;
  readonly #connections = new Set<HttpConnection>();
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #checkMs: number;
  #checkedAt = performance.now();
  #hasSkipped = false;
  #most: number;
  #wake: (() => void) | undefined;
  #isClosing = false;
  #pauseMs = 0;
  #reportedAt = -Infinity;

  readonly finished: Promise<void>;

  constructor(listener: ConnectionListener, options: HttpListenerOptions) {
    this.#listener = listener;
    this.#options = options;
    this.#most = options.firstConnections ?? options.maxConnections;
    const shortest = Math.min(...Object.values(options.timeouts));
    this.#checkMs = Math.min(LONGEST_CHECK_MS, Math.max(shortest / 4, 1));
    this.#timer = setInterval(() => this.#closeOverdue(), this.#checkMs);
    Deno.unrefTimer(this.#timer);
    this.finished = this.#acceptAll();
  }

  get address(): Deno.NetAddr {
    return this.#listener.addr;
  }

  allow(connections: number): void {
    this.#most = connections;
    this.#wake?.();
  }

  async shutdown(): Promise<void> {
    this.#isClosing = true;
    this.#listener.close();
    this.#wake?.();
    await Promise.all([this.finished, ...[...this.#connections].map((one) => one.shutdown())]);
    clearInterval(this.#timer);
  }

  async #acceptAll(): Promise<void> {
    while (!this.#isClosing) {
      if (this.#connections.size < this.#most) await this.#acceptOne();
      else await this.#makeRoom();
    }
  }

  async #acceptOne(): Promise<void> {
    try {
      const connection = await this.#listener.accept();
      this.#pauseMs = 0;
      void this.#serve(connection);
    } catch (error) {
      if (!this.#isClosing) await this.#pauseAfter(error);
    }
  }

  async #serve(accepted: Deno.Conn): Promise<void> {
    const connection = new HttpConnection(accepted, this.#options.timeouts);
    this.#connections.add(connection);
    await connection.serve(this.#options.serveConnection, this.#options.handler);
    this.#connections.delete(connection);
    this.#wake?.();
  }

  async #makeRoom(): Promise<void> {
    // While the server still loads, it may not have got round to reading what a client has sent.
    if (this.#most >= this.#options.maxConnections) this.#closeSpare();
    await this.#pause(LOOK_MS);
  }

  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = setTimeout(resolve, ms);
    await promise;
    clearTimeout(timer);
    this.#wake = undefined;
  }

  /**
   * The failure of the system, which has no free descriptor or memory, or of a client that
   * disconnected.
   */
  async #pauseAfter(error: unknown): Promise<void> {
    const now = performance.now();
    if (now - this.#reportedAt > REPORT_EVERY_MS) {
      this.#reportedAt = now;
      this.#options.onAcceptError(error);
    }
    this.#closeSpare();
    this.#pauseMs = Math.min(this.#pauseMs * 2 || PAUSE.firstMs, PAUSE.longestMs);
    await this.#pause(this.#pauseMs);
  }

  #closeSpare(): void {
    const now = performance.now();
    const longest = new Map<Spare["kind"], { connection: HttpConnection; since: number }>();
    for (const connection of this.#connections) {
      const { kind, since = Infinity } = connection.spare ?? {};
      if (kind === undefined || now - since < SPARE_MS[kind]) continue;
      if (since < (longest.get(kind)?.since ?? Infinity)) longest.set(kind, { connection, since });
    }
    const first = SPARE_KINDS.find((kind) => longest.has(kind));
    if (first !== undefined) longest.get(first)?.connection.close();
  }

  /** If the process was held up itself, what clients have sent meanwhile is read before the next check. */
  #closeOverdue(): void {
    const now = performance.now();
    // Never two in a row, or a server that is always late would close none.
    const isSkipped = !this.#hasSkipped && now - this.#checkedAt > 2 * this.#checkMs;
    this.#checkedAt = now;
    this.#hasSkipped = isSkipped;
    if (isSkipped) return;
    for (const connection of this.#connections) if (connection.isOverdue(now)) connection.close();
  }
}

/** How long a certificate or a key may take to read: a FIFO has no content until it is written. */
const PEM_MS = 5_000;

/**
 * How many connections a server has until it is allowed more. Deno ends if it loads a module while no
 * file descriptor is free, so clients get them all only once everything is loaded.
 */
const FIRST_CONNECTIONS = 3;

/**
 * Listens on the address of a config, with few connections at first. Rejects with a `ConfigError` if the
 * address, the certificate or its key can't be used.
 */
export async function listen(
  config: Config,
  handler: ListenOptions["handler"],
  log: Log,
): Promise<HttpServer> {
  const { host, port, limits } = config;
  const tls = await readTls(config);
  try {
    return listenHttp({ hostname: host, port, ...tls }, {
      handler,
      timeouts: {
        headerMs: limits.headerTimeoutMs,
        bodyMs: limits.bodyTimeoutMs,
        sendMs: limits.sendTimeoutMs,
        idleMs: limits.idleTimeoutMs,
      },
      maxConnections: limits.maxConnections,
      firstConnections: Math.min(FIRST_CONNECTIONS, limits.maxConnections),
      onAcceptError: (error) => log.warn("cannot accept a connection, trying again", { error }),
      onUnbounded: () =>
        log.warn("this version of Deno can't bound connections", {
          fix: "use Deno 2.9, or a reverse proxy in front of the server",
        }),
    });
  } catch (cause) {
    throw new ConfigError(`Cannot listen on ${host}:${port}: ${messageOf(cause)}`, { cause });
  }
}

/** The URL of a server, for people. */
export function addressOf({ hostname, port }: Deno.NetAddr, { tls }: Config): string {
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return `${tls === undefined ? "http" : "https"}://${host}:${port}`;
}

async function readTls({ tls }: Config): Promise<Pick<ListenAddress, "tls">> {
  if (tls === undefined) return {};
  const cert = await readPem("MCP_TLS_CERT", tls.certFile);
  const key = await readPem("MCP_TLS_KEY", tls.keyFile);
  return { tls: { cert, key } };
}

async function readPem(name: string, file: string): Promise<string> {
  const refuse = (state: string, cause?: unknown) =>
    new ConfigError(`Cannot use ${name} "${file}": ${state}`, { cause });
  const reading = Deno.readTextFile(file).catch((cause) => {
    throw refuse(messageOf(cause), cause);
  });
  if (await within(reading, PEM_MS)) return await reading;
  throw refuse(`it has no content within ${PEM_MS / 1_000} s; use a regular file`);
}
