import type { Executor } from "../execution/executor.ts";
import type { MockRequest, PromiseOrValue } from "../execution/graphql_request.ts";
import type { BreakableRequest } from "../execution/broken_connection.ts";

/** The server's end of a WebSocket: that of Deno, of the package `ws`, or one in this process. */
export interface ServerSocket {
  /** 1 if the socket is open. */
  readonly readyState: number;
  /** Bytes that were sent, but that the network has not accepted yet. */
  readonly bufferedAmount: number;
  /** Sends a text message. */
  send(text: string): void;
  /** Starts to close the connection. */
  close(code?: number, reason?: string): void;
  /** Breaks the connection; Deno's socket can't. */
  terminate?(): void;
}

/** The state of a socket that messages can be sent to. */
export const OPEN = 1;

/** Close codes of the protocols and of WebSocket itself. */
export const CLOSE = {
  goingAway: 1001,
  unsupportedData: 1003,
  tooBig: 1009,
  serviceRestart: 1012,
  tryAgainLater: 1013,
  badRequest: 4400,
  forbidden: 4403,
  protocolNotAcceptable: 4406,
  initTimeout: 4408,
} as const;

/** Breaks a connection, or closes it with 1012, which clients treat as a passing failure too. */
export function breakOff(socket: ServerSocket): void {
  if (socket.terminate !== undefined) socket.terminate();
  else socket.close(CLOSE.serviceRestart, "The connection was broken, as planned");
}

/** Maximum number of messages that may wait for a slow reader. */
const MAX_WAITING = 1_000;

/** From this many waiting messages on, a sender waits until the network has accepted some. */
const MANY_WAITING = 100;

/** Sends the messages of one socket. */
export interface Outbox {
  /** Sends a message; resolves when the next one may be sent. A closed socket drops it. */
  send(text: string): Promise<void>;
}

/**
 * Counts the messages that a reader has not received yet. More than 1,000 close the socket with
 * 1013.
 */
export function createOutbox(socket: ServerSocket, onOverflow: () => void): Outbox {
  /** For each waiting message, how many bytes have been sent once the network has accepted it. */
  const ends: number[] = [];
  let total = 0;
  return {
    async send(text) {
      if (socket.readyState !== OPEN) return;
      const before = socket.bufferedAmount;
      socket.send(text);
      const buffered = socket.bufferedAmount;
      if (buffered > before) {
        total += buffered - before;
        ends.push(total);
      }
      while (ends[0] !== undefined && ends[0] <= total - buffered) ends.shift();
      if (ends.length > MAX_WAITING) {
        socket.close(CLOSE.tryAgainLater, `${MAX_WAITING} messages wait to be read`);
        onOverflow();
      } else if (ends.length >= MANY_WAITING) {
        await new Promise<void>((resolve) => setTimeout(resolve));
      }
    },
  };
}

/** What a client sends when it connects: `connectionParams` of most clients. */
export type ConnectionParams = Readonly<Record<string, unknown>>;

/** How connections are accepted. */
export interface ConnectionOptions {
  /**
   * Decides whether a client may connect: `false` closes the connection with 4403, and an object is
   * the payload of `connection_ack`.
   * @default {() => true}
   */
  readonly onConnect?: (
    connectionParams: ConnectionParams,
    request: MockRequest,
  ) => PromiseOrValue<boolean | Readonly<Record<string, unknown>> | void>;
  /**
   * Milliseconds that a client may take to send `connection_init`; then 4408 closes the connection.
   * @default {3_000}
   */
  readonly connectionInitTimeout?: number;
}

/** How a socket was opened. */
export interface Handshake {
  /** The negotiated subprotocol; empty if there is none. */
  readonly protocol: string;
  /** The request that opened it: `request` in the resolvers' context. */
  readonly request: MockRequest;
}

/** What a protocol needs of the connection that it serves. */
export interface Connection extends Handshake {
  readonly socket: ServerSocket;
  readonly outbox: Outbox;
  readonly executor: Executor;
  readonly options: Required<ConnectionOptions>;
}

/** A protocol on one connection. */
export interface Conversation {
  /** Handles a message of the client. */
  receive(text: string): void;
  /** Ends all operations, after the connection has closed. */
  end(): void;
}

/** Maximum number of concurrent operations on one connection; further ones are rejected. */
export const MAX_OPERATIONS = 1_000;

/** The request of the operations of a client. */
export function requestOf(
  { request, socket }: Connection,
  connectionParams: ConnectionParams,
): MockRequest {
  const breakable: MockRequest & BreakableRequest = {
    ...request,
    connectionParams,
    dispatchEvent({ type }) {
      if (type === "error") breakOff(socket);
    },
  };
  return breakable;
}

/** The protocols require a text, so clients of persisted operations send an empty one. */
export function withoutEmptyQuery(payload: unknown): unknown {
  const isEmpty = typeof payload === "object" && payload !== null && "query" in payload &&
    payload.query === "";
  return isEmpty ? { ...payload, query: undefined } : payload;
}
