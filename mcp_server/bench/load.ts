const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The bytes of one POST request over a keep-alive connection. */
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

/** How a client sends requests. */
export interface LoadOptions {
  /** Concurrent requests. @default {8} */
  readonly atOnce?: number;
  /** How long, in milliseconds. @default {1_500} */
  readonly ms?: number;
}

/** Responses per second to a client that uses `fetch()`, as most callers do. */
export function fetchesPerSecond(
  url: string,
  body: object,
  options: LoadOptions = {},
): Promise<number> {
  const init = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  return perSecond(options, async (until) => {
    let count = 0;
    for (; performance.now() < until; count++) {
      const response = await fetch(url, init);
      if (!response.ok) throw new Error(`Cannot measure: ${response.status}`);
      await response.bytes();
    }
    return count;
  });
}

/** Responses per second to a minimal client, so that the server is measured and not the client. */
export function requestsPerSecond(
  url: string,
  request: Uint8Array,
  options: LoadOptions = {},
): Promise<number> {
  return perSecond(options, (until) => countAnswers(url, request, until));
}

async function perSecond(
  { atOnce = 8, ms = 1_500 }: LoadOptions,
  count: (until: number) => Promise<number>,
): Promise<number> {
  const startedAt = performance.now();
  const counts = await Promise.all(Array.from({ length: atOnce }, () => count(startedAt + ms)));
  const seconds = (performance.now() - startedAt) / 1_000;
  return counts.reduce((sum, one) => sum + one, 0) / seconds;
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

/** One keep-alive connection. */
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

  /**
   * Sends a request and reads the whole response. Rejects if its status is not 200, or the server
   * closes the connection before its end.
   */
  async call(request: Uint8Array): Promise<void> {
    await this.#connection.write(request);
    let size = await this.#read();
    const text = decoder.decode(this.#buffer.subarray(0, size));
    if (!text.startsWith("HTTP/1.1 200")) throw new Error(`Cannot measure: ${text}`);
    const head = text.indexOf("\r\n\r\n") + 4;
    const length = /content-length: (\d+)/i.exec(text)?.[1];
    if (length === undefined) return await this.#readChunks(text);
    while (size < head + Number(length)) size += await this.#read();
  }

  /** Closes the connection. */
  [Symbol.dispose](): void {
    this.#connection.close();
  }

  async #readChunks(text: string): Promise<void> {
    while (!text.endsWith("\r\n0\r\n\r\n")) {
      const size = await this.#read();
      text += decoder.decode(this.#buffer.subarray(0, size));
    }
  }

  /** Reads what has arrived into the buffer, and returns its size. */
  async #read(): Promise<number> {
    const size = await this.#connection.read(this.#buffer);
    if (size === null) throw new Error("Cannot measure: the server has closed the connection");
    return size;
  }
}
