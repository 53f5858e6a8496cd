import { MAX_MS } from "../shared/deadline.ts";
import type { Executor } from "../execution/executor.ts";
import {
  CLOSE,
  type Connection,
  type ConnectionOptions,
  type Conversation,
  createOutbox,
  type Handshake,
  type Outbox,
  type ServerSocket,
} from "./connection.ts";
import { serveLegacyWs } from "./legacy_ws.ts";
import { serveTransportWs } from "./transport_ws.ts";

/** The subprotocol of the package `graphql-ws`. */
const TRANSPORT_WS = "graphql-transport-ws";
/** The subprotocol of `subscriptions-transport-ws`. */
const LEGACY_WS = "graphql-ws";

/** The first supported subprotocol of a client's list; `undefined` if none is. */
export function negotiateProtocol(protocols: readonly string[]): string | undefined {
  return protocols.find((protocol) => protocol === TRANSPORT_WS || protocol === LEGACY_WS);
}

const PROTOCOLS: ReadonlyMap<string, (connection: Connection) => Conversation> = new Map([
  [TRANSPORT_WS, serveTransportWs],
  [LEGACY_WS, serveLegacyWs],
]);

/** A connection from the side of its socket. */
export interface ServedSocket {
  /** Handles a message of the client; the protocols use only text. */
  receive(data: unknown): void;
  /** Ends all operations, after the socket has closed. */
  end(): void;
}

/** Serves the sockets of one executor. */
export interface SocketService {
  /** Serves an open socket until `end()`. */
  open(socket: ServerSocket, handshake: Handshake): ServedSocket;
  /** Closes all sockets with 1001. */
  close(): void;
}

/** Longer messages close the socket with 1009. */
const MAX_MESSAGE_CHARACTERS = 1_048_576;

/**
 * Creates the service of an executor's sockets.
 *
 * @throws {RangeError} If the timeout is not a positive number of milliseconds.
 */
export function createSocketService(
  executor: Executor,
  { onConnect = () => true, connectionInitTimeout = 3_000 }: ConnectionOptions = {},
): SocketService {
  if (!(connectionInitTimeout > 0 && connectionInitTimeout <= MAX_MS)) {
    throw new RangeError(
      `Cannot use connectionInitTimeout "${connectionInitTimeout}": ` +
        `it must be more than 0 and at most ${MAX_MS} milliseconds`,
    );
  }
  const options = { onConnect, connectionInitTimeout };
  const open = new Map<ServerSocket, ServedSocket>();
  return {
    open(socket, handshake) {
      const connect = (outbox: Outbox) => ({ socket, outbox, executor, options, ...handshake });
      const disconnect = executor.inspection.inspector?.connect(handshake);
      const served = serve(socket, connect, () => open.delete(socket) && disconnect?.());
      open.set(socket, served);
      return served;
    },
    close() {
      for (const [socket, served] of [...open]) {
        socket.close(CLOSE.goingAway, "The mock has ended");
        served.end();
      }
    },
  };
}

function serve(
  socket: ServerSocket,
  connect: (outbox: Outbox) => Connection,
  onEnd: () => void,
): ServedSocket {
  const connection = connect(createOutbox(socket, () => end()));
  const converse = PROTOCOLS.get(connection.protocol);
  let conversation: Conversation | undefined = converse?.(connection);
  if (converse === undefined) {
    socket.close(CLOSE.protocolNotAcceptable, "Subprotocol not acceptable");
  }
  const end = () => {
    conversation?.end();
    conversation = undefined;
    onEnd();
  };
  return {
    end,
    receive(data) {
      if (typeof data !== "string") return socket.close(CLOSE.unsupportedData, "Send text");
      if (data.length <= MAX_MESSAGE_CHARACTERS) return conversation?.receive(data);
      socket.close(CLOSE.tooBig, `A message has at most ${MAX_MESSAGE_CHARACTERS} characters`);
    },
  };
}
