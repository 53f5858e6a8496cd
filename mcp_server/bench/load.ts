const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The bytes of one POST request over a connection that is kept. */
export function toRequest(url: string, path: string, body: object, headers = {}): Uint8Array {
  const text = JSON.stringify(body);
  const lines = Object.entries({
    host: new URL(url).host,
    "content-type": "application/json",
    "content-length": String(encoder.encode(text).length),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return encoder.encode(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${text}`);
}

/**
 * Sends one request after the other over each of several kept connections, and counts the answers
 * of a second. The client is as thin as it can be, so that the server is what is measured.
 */
export async function requestsPerSecond(
  url: string,
  request: Uint8Array,
  { connections = 8, ms = 1_500 } = {},
): Promise<number> {
  const until = performance.now() + ms;
  const startedAt = performance.now();
  const counts = await Promise.all(
    Array.from({ length: connections }, () => countAnswers(url, request, until)),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  return counts.reduce((sum, count) => sum + count, 0) / seconds;
}

async function countAnswers(url: string, request: Uint8Array, until: number): Promise<number> {
  using caller = await Caller.connect(url);
  let count = 0;
  while (performance.now() < until) {
    await caller.call(request);
    count++;
  }
  return count;
}

/** One kept connection. */
export class Caller implements Disposable {
  readonly #connection: Deno.TcpConn;
  readonly #buffer = new Uint8Array(64 * 1024);

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  /** Opens a connection to a server. */
  static async connect(url: string): Promise<Caller> {
    const { hostname, port } = new URL(url);
    const connection = await Deno.connect({ hostname, port: Number(port) });
    connection.setNoDelay(true);
    return new Caller(connection);
  }

  /** Sends a request and reads its answer whole; rejects where it is no 200. */
  async call(request: Uint8Array): Promise<void> {
    await this.#connection.write(request);
    let size = await this.#connection.read(this.#buffer) ?? 0;
    const text = decoder.decode(this.#buffer.subarray(0, size));
    if (!text.startsWith("HTTP/1.1 200")) throw new Error(`Cannot measure: ${text}`);
    const head = text.indexOf("\r\n\r\n") + 4;
    const length = /content-length: (\d+)/i.exec(text)?.[1];
    if (length === undefined) return await this.#readChunks(text);
    while (size < head + Number(length)) size += await this.#connection.read(this.#buffer) ?? 0;
  }

  /** Closes the connection. */
  [Symbol.dispose](): void {
    this.#connection.close();
  }

  async #readChunks(text: string): Promise<void> {
    while (!text.endsWith("\r\n0\r\n\r\n")) {
      const size = await this.#connection.read(this.#buffer) ?? 0;
      text += decoder.decode(this.#buffer.subarray(0, size));
    }
  }
}
