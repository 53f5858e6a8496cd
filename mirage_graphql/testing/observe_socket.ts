/** What a test does with an open socket. */
export type SocketAct = (socket: WebSocket) => void;

/** The ways to use and to end a socket of the protocol `graphql-transport-ws`. */
export const SOCKET_ACTS: Readonly<Record<string, SocketAct>> = {
  "a response, and a close without a code": (socket) => {
    socket.send('{"type":"ping"}');
    socket.addEventListener("message", () => socket.close());
  },
  "a close with a code and a reason": (socket) => socket.close(3000, "Zoë"),
  "a close by the server": (socket) => socket.send("{"),
  "an object that is sent as text": (socket) => {
    const boxed: unknown = { toString: () => '{"type":"ping"}' };
    socket.send(boxed as string);
    socket.addEventListener("message", () => socket.close(1000));
  },
  "bytes": (socket) => socket.send(new Uint8Array([123, 125])),
};

/** How a socket is opened. */
export interface ObserveOptions {
  /** The subprotocols that are offered. @default {["graphql-transport-ws"]} */
  readonly protocols?: string[];
}

/** Opens a socket, and resolves with all that a page sees of it, from its constructor to its end. */
export async function observeSocket(
  url: string,
  act: SocketAct,
  { protocols = ["graphql-transport-ws"] }: ObserveOptions = {},
): Promise<unknown[]> {
  const socket = new WebSocket(url, protocols);
  const seen: unknown[] = [];
  const note = (...what: unknown[]) => seen.push([...what, socket.readyState]);
  note("new", socket.protocol, socket.extensions, socket.binaryType, socket.bufferedAmount);
  note(errorOf(() => socket.send("early")));
  socket.onmessage = () => note("replaced");
  socket.addEventListener("message", ({ data }) => note("second", JSON.parse(data).type));
  socket.onmessage = ({ data, target }) =>
    note("first", JSON.parse(data).type, target === socket, socket.bufferedAmount);
  socket.addEventListener("open", () => note("opened", socket.protocol, socket.url === url));
  socket.onerror = ({ type }) => note(type);
  const closed = new Promise<void>((resolve) => {
    socket.onclose = ({ type, code, reason, wasClean }) => {
      note(type, code, reason, wasClean);
      resolve();
    };
  });
  socket.onopen = () => act(socket);
  await closed;
  note("late", errorOf(() => socket.close()));
  return seen;
}

/** The name of the error that a function throws. */
export function errorOf(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}
