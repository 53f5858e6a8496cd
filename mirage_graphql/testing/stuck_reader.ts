/** A WebSocket client that reads nothing until it is asked to. */
export interface StuckReader extends Disposable {
  /** Sends a message as JSON. */
  send(message: object): Promise<void>;
  /** Reads one message. */
  readOne(): Promise<void>;
  /** Reads everything that has arrived, up to the close frame; resolves with its code. */
  readCloseCode(): Promise<number>;
}

const MASK = new Uint8Array([0, 0, 0, 0]);

/** Connects to a port of the loopback interface, and reads only the response's head. */
export async function connectStuckReader(port: number, protocol: string): Promise<StuckReader> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const encoder = new TextEncoder();
  const head = [
    "GET /graphql HTTP/1.1",
    "Host: 127.0.0.1",
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    `Sec-WebSocket-Protocol: ${protocol}`,
  ];
  await connection.write(encoder.encode(`${head.join("\r\n")}\r\n\r\n`));
  await readHead(connection);
  return {
    async send(message) {
      const text = encoder.encode(JSON.stringify(message));
      // a final text frame of a client (RFC 6455, 5.2), whose length takes two bytes
      const length = new Uint8Array([0x81, 0x80 | 126, text.length >> 8, text.length & 0xff]);
      await connection.write(new Uint8Array([...length, ...MASK, ...text]));
    },
    readOne: async () => void await readFrame(connection),
    readCloseCode: async () => {
      let frame = await readFrame(connection);
      while (frame.code === undefined) frame = await readFrame(connection);
      return frame.code;
    },
    [Symbol.dispose]: () => connection.close(),
  };
}

async function readHead(connection: Deno.TcpConn): Promise<void> {
  const byte = new Uint8Array(1);
  let head = "";
  while (!head.endsWith("\r\n\r\n")) {
    await connection.read(byte);
    head += String.fromCharCode(byte[0] ?? 0);
  }
}

/** Reads a frame of the server, which is not masked; a close frame has a code. */
async function readFrame(connection: Deno.TcpConn): Promise<{ readonly code?: number }> {
  const [first = 0, second = 0] = await readBytes(connection, 2);
  const wide = second === 127 ? 8 : second === 126 ? 2 : 0;
  const length = wide === 0 ? second : toNumber(await readBytes(connection, wide));
  const payload = await readBytes(connection, length);
  return (first & 0x0f) === 0x8 ? { code: toNumber(payload.subarray(0, 2)) } : {};
}

function toNumber(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

async function readBytes(connection: Deno.TcpConn, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let size = 0;
  while (size < length) {
    const read = await connection.read(bytes.subarray(size));
    if (read === null) throw new Error("Cannot read a frame: the connection has ended");
    size += read;
  }
  return bytes;
}
