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
