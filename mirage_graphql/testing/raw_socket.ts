/** What closed a socket. */
export interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** A WebSocket whose messages are read one by one. */
export interface RawSocket extends AsyncDisposable {
  readonly socket: WebSocket;
  /** Sends a message as JSON; text as it is. */
  send(message: object | string | Uint8Array<ArrayBuffer>): void;
  /** The next message of the server, parsed. */
  next(): Promise<unknown>;
  /** How it was closed. */
  readonly closed: Promise<Closed>;
}

/** Opens a socket with a subprotocol, or without one. */
export async function openSocket(url: string, protocol?: string): Promise<RawSocket> {
  const socket = new WebSocket(url, protocol === undefined ? [] : [protocol]);
  const messages: unknown[] = [];
  const waiting: ((message: unknown) => void)[] = [];
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<Closed>();
  socket.addEventListener("open", () => opened.resolve());
  socket.addEventListener("error", () => opened.reject(new Error("Cannot open the socket")));
  socket.addEventListener("close", ({ code, reason }) => closed.resolve({ code, reason }));
  socket.addEventListener("message", ({ data }) => {
    const take = waiting.shift();
    if (take === undefined) messages.push(JSON.parse(data));
    else take(JSON.parse(data));
  });
  await opened.promise;
  return {
    socket,
    closed: closed.promise,
    send: (message) =>
      socket.send(
        typeof message === "string" || message instanceof Uint8Array
          ? message
          : JSON.stringify(message),
      ),
    next: () =>
      messages.length > 0
        ? Promise.resolve(messages.shift())
        : new Promise((resolve) => waiting.push(resolve)),
    async [Symbol.asyncDispose]() {
      socket.close();
      await closed.promise;
    },
  };
}
