/**
 * Serves HTTP on a connection with a function that is internal to Deno: `Deno.serve` itself accepts
 * connections without a cap or time-outs, and ends at the first one that it can't accept. The public
 * `node:http` has both, but answers about half as many requests a second.
 *
 * @module
 */

import type { DisconnectWatcher, Peer } from "./disconnect_watcher.ts";

/** How long a client may take, in milliseconds. */
export interface ConnectionTimeouts {
  /** From the start of a connection to the end of its first request's headers, TLS included. */
  readonly headerMs: number;
  /** From one part of a request's body to the next. */
  readonly bodyMs: number;
  /** From one part of a response's body to the next. */
  readonly sendMs: number;
  /** From a response to the end of the next request's headers. */
  readonly idleMs: number;
}

/** One request and its response, while they are in transit. */
export class Exchange {
  readonly #timeouts: ConnectionTimeouts;
  #deadline = Infinity;
  #isOfCaller = false;
  /** Settles when the response has been sent, or can't be sent any more. */
  readonly completed: Promise<void>;

  /** Without a deadline until the client is expected to send or read. */
  constructor(timeouts: ConnectionTimeouts, completed: Promise<void>) {
    this.#timeouts = timeouts;
    this.completed = completed;
  }

  /** The client's current deadline, as `performance.now()` counts. */
  get deadline(): number {
    return this.#deadline;
  }

  /** Whether its caller is known. */
  get isOfCaller(): boolean {
    return this.#isOfCaller;
  }

  /** Marks it as one of a caller that is known: its connection is not closed for others. */
  ofCaller(): void {
    this.#isOfCaller = true;
  }

  /** Expects the next part of the request's body. */
  expectBody(): void {
    this.#deadline = performance.now() + this.#timeouts.bodyMs;
  }

  /** Expects the client to take the part of the response's body that is sent. */
  expectReader(): void {
    this.#deadline = performance.now() + this.#timeouts.sendMs;
  }

  /** Expects nothing of the client. */
  expectNothing(): void {
    this.#deadline = Infinity;
  }
}

/** Where a request came from, and its exchange, which sets the client's deadlines. */
export interface RequestContext {
  readonly remoteAddr: Peer;
  /** Whether the request came over HTTP/2, which has no Host header. */
  readonly overHttp2: boolean;
  readonly exchange: Pick<
    Exchange,
    "completed" | "ofCaller" | "expectBody" | "expectReader" | "expectNothing"
  >;
}

/** Answers one request. */
export type RequestHandler = (request: Request, context: RequestContext) => Promise<Response>;

/**
 * The client of one HTTP request, whose signal aborts when it disconnects. The signal is created
 * only on first use, because most requests are answered before.
 */
export class HttpClient implements Disposable {
  readonly #request: Request;
  readonly #remoteAddr: Peer;
  readonly #watch: DisconnectWatcher;
  #signal: AbortSignal | undefined;
  #watching: Disposable | undefined;

  constructor(
    request: Request,
    { remoteAddr }: { readonly remoteAddr: Peer },
    watch: DisconnectWatcher,
  ) {
    this.#request = request;
    this.#remoteAddr = remoteAddr;
    this.#watch = watch;
  }

  /** Aborts when the client disconnects. */
  get signal(): AbortSignal {
    return this.#signal ??= this.#listen();
  }

  /** Stops watching the client, which has been answered. */
  [Symbol.dispose](): void {
    this.#watching?.[Symbol.dispose]();
  }

  #listen(): AbortSignal {
    const controller = new AbortController();
    const onGone = () =>
      controller.abort(new DOMException("The client disconnected", "AbortError"));
    this.#request.signal.addEventListener("abort", onGone, { once: true });
    this.#watching = this.#watch.watch(this.#remoteAddr, onGone);
    return controller.signal;
  }
}

/**
 * What a connection that may be closed for another one waits for: its first request, its next one, or
 * the end of exchanges whose caller is not known. In this order they are closed.
 */
export const SPARE_KINDS = ["silent", "idle", "unknown"] as const;

/** Why and since when a connection may be closed for another one. */
export interface Spare {
  readonly kind: (typeof SPARE_KINDS)[number];
  /** As `performance.now()` counts. */
  readonly since: number;
}

/** An accepted connection: its running exchanges, and the deadline of its client. */
export class HttpConnection {
  readonly #connection: Deno.Conn;
  readonly #timeouts: ConnectionTimeouts;
  /** More than one only over HTTP/2; an array, because a set is slower for so few. */
  readonly #exchanges: Exchange[] = [];
  #deadline: number;
  /** Since when it has had no exchange, or has had some. */
  #since = performance.now();
  #served: ServedConnection | undefined;
  #cancel = () => this.#connection.close();
  #hasAnswered = false;
  #overHttp2 = false;

  constructor(connection: Deno.Conn, timeouts: ConnectionTimeouts) {
    this.#connection = connection;
    this.#timeouts = timeouts;
    this.#deadline = performance.now() + timeouts.headerMs;
  }

  /** Whether it may be closed for another one; `undefined` while a caller uses it. */
  get spare(): Spare | undefined {
    const since = this.#since;
    if (this.#exchanges.length === 0) return { kind: this.#hasAnswered ? "idle" : "silent", since };
    if (this.#exchanges.some(({ isOfCaller }) => isOfCaller)) return undefined;
    return { kind: "unknown", since };
  }

  /** Whether the client has missed a deadline. */
  isOverdue(now: number): boolean {
    if (this.#exchanges.length === 0) return now > this.#deadline;
    return this.#exchanges.some(({ deadline }) => now > deadline);
  }

  /** Begins an exchange that ends when its response is `completed`. */
  #begin(completed: Promise<void>): Exchange {
    const exchange = new Exchange(this.#timeouts, completed);
    if (this.#exchanges.length === 0) this.#since = performance.now();
    this.#exchanges.push(exchange);
    const end = () => {
      this.#exchanges.splice(this.#exchanges.indexOf(exchange), 1);
      this.#hasAnswered = true;
      this.#deadline = performance.now() + this.#timeouts.idleMs;
      if (this.#exchanges.length === 0) this.#since = performance.now();
    };
    completed.then(end, end);
    return exchange;
  }

  /** Serves HTTP until the connection is closed by either end; never rejects. */
  async serve(serveConnection: ServeConnection, handler: RequestHandler): Promise<void> {
    try {
      if (isTls(this.#connection)) {
        this.#overHttp2 = (await this.#connection.handshake()).alpnProtocol === "h2";
      } else if (isTcp(this.#connection)) {
        this.#connection.setNoDelay(true);
      }
      const cancelSource = {
        addEventListener: (_type: "abort", cancel: () => void) => void (this.#cancel = cancel),
      };
      const answer: FetchHandler = (request, { remoteAddr, completed }) => {
        const exchange = this.#begin(completed);
        return handler(request, { remoteAddr, overHttp2: this.#overHttp2, exchange });
      };
      const onError = () => new Response(null, { status: 500 });
      this.#served = serveConnection(this.#connection, cancelSource, answer, onError, () => {});
      await this.#served.finished;
    } catch {
      this.close();
    }
  }

  /** Closes the connection now, even during an exchange. */
  close(): void {
    try {
      this.#cancel();
    } catch {
      // It is already closed.
    }
  }

  /** Closes the connection once its requests are answered. */
  async shutdown(): Promise<void> {
    if (this.#served === undefined || this.#exchanges.length === 0) return this.close();
    await this.#served.shutdown().catch(() => this.close());
  }
}

function isTls(connection: Deno.Conn): connection is Deno.TlsConn {
  return "handshake" in connection;
}

function isTcp(connection: Deno.Conn): connection is Deno.TcpConn {
  return "setNoDelay" in connection;
}

/** What Deno reports about a request, in addition to the request itself. */
interface ServeInfo {
  readonly remoteAddr: Peer;
  /** Settles when the response has been sent, or can't be sent any more. */
  readonly completed: Promise<void>;
}

/** What Deno calls with a request. */
type FetchHandler = (request: Request, info: ServeInfo) => Promise<Response>;

/** HTTP on one connection. */
interface ServedConnection {
  /** Settles when the connection is closed. */
  readonly finished: Promise<void>;
  /** Answers the current requests, then closes the connection. */
  shutdown(): Promise<void>;
}

/** Serves HTTP/1.1, or HTTP/2 if the client chose it in the TLS handshake, on one connection. */
export type ServeConnection = (
  connection: Deno.Conn,
  cancelSource: { addEventListener(type: "abort", cancel: () => void): void },
  handler: FetchHandler,
  onError: (error: unknown) => Response,
  onListen: () => void,
) => ServedConnection;

/**
 * Finds the function with which `Deno.serve` serves a connection. Another version of Deno may lack it:
 * then returns `undefined`.
 */
export function findServeConnection(): ServeConnection | undefined {
  const key: unknown = Reflect.get(Deno, "internal");
  const internals: unknown = typeof key === "symbol" ? Reflect.get(Deno, key) : undefined;
  if (typeof internals !== "object" || internals === null) return undefined;
  const serve: unknown = Reflect.get(internals, "serveHttpOnConnection");
  return typeof serve === "function" ? serve as ServeConnection : undefined;
}
