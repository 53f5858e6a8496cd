import type { BreakableRequest } from "../request/broken_connection.ts";
import type { Executor } from "../request/executor.ts";
import type { MockRequest, PromiseOrValue } from "../request/graphql_request.ts";
import { deliverStream } from "../subscriptions/deliver_streams.ts";
import { breakOff, type Outbox, type ServerSocket } from "./server_socket.ts";

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

/** Every operation is a stream, and the connection carries several. */
export const RUN_OPTIONS = { deliver: deliverStream, isShared: true };

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
