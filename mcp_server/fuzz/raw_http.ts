import { firstOf, type WaitBounds } from "../shared/concurrency.ts";

/** A response as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** How bytes are sent. */
export interface RawOptions {
  /** Where the bytes are cut: each part is written by itself. @default {nowhere} */
  readonly cuts?: readonly number[];
  /**
   * Milliseconds after the last byte until the writing side is closed. At once would make the
   * server drop a request that it has not answered. @default {never}
   */
  readonly closeAfterMs?: number;
}

const ANSWER_MS = 15_000;
/** The type of the frame with which a server answers in HTTP/2, which is not read here. */
const SETTINGS = 4;
const decoder = new TextDecoder();

/**
 * Sends bytes over a connection of their own, and reads until the server closes it. Throws if it
 * does not close it in time, or if what it sends is not HTTP.
 */
export async function exchange(
  url: string,
  bytes: Uint8Array<ArrayBuffer>,
  options: RawOptions = {},
): Promise<RawAnswer[]> {
  const { cuts = [], closeAfterMs } = options;
  const { hostname, port } = new URL(url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    connection.close();
  }, ANSWER_MS);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const over = new AbortController();
  try {
    const sending = sendParts(connection, bytes, cuts)
      .then(() => closeLater(connection, { timeoutMs: closeAfterMs, signal: over.signal }))
      .catch(ifGone);
    for await (const chunk of connection.readable) chunks.push(chunk);
    over.abort();
    await sending;
  } catch (error) {
    if (!isLate) ifGone(error);
  } finally {
    clearTimeout(timer);
  }
  if (isLate) throw new Error(`No end of the connection within ${ANSWER_MS} ms`);
  return parseAnswers(
    new Uint8Array(await new Blob(chunks).arrayBuffer()),
  );
}

async function sendParts(
  connection: Deno.TcpConn,
  bytes: Uint8Array<ArrayBuffer>,
  cuts: readonly number[],
): Promise<void> {
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  for (const end of [...ends, bytes.length]) {
    while (from < end) from += await connection.write(bytes.subarray(from, end));
    if (end < bytes.length) await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function closeLater(connection: Deno.TcpConn, bounds: WaitBounds): Promise<void> {
  using pause = firstOf(bounds);
  if (await pause.expired === "timedOut") await connection.closeWrite();
}

/** A server may close a connection before it has read everything. */
function ifGone(error: unknown): void {
  const isGone = error instanceof Deno.errors.ConnectionReset ||
    error instanceof Deno.errors.BrokenPipe || error instanceof Deno.errors.NotConnected ||
    error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted;
  if (!isGone) throw error;
}

/** Splits what a server sent into its responses (RFC 9112, section 6). */
export function parseAnswers(bytes: Uint8Array): RawAnswer[] {
  const answers: RawAnswer[] = [];
  if (bytes[3] === SETTINGS) return answers;
  // One character per byte, so that lengths in bytes are lengths of the text.
  let rest = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  while (rest !== "") {
    const end = rest.indexOf("\r\n\r\n");
    const [line = "", ...fields] = rest.slice(0, Math.max(end, 0)).split("\r\n");
    const [, status] = /^HTTP\/1\.[01] (\d{3})(?: .*)?$/.exec(line) ?? [];
    if (status === undefined) throw new Error(`Not HTTP: ${JSON.stringify(rest.slice(0, 200))}`);
    const headers = new Map(fields.map((field) => {
      const [, name = "", value = ""] = /^([^:\s]+):\s*(.*)$/.exec(field) ?? [];
      return [name.toLowerCase(), value];
    }));
    const [body, length] = bodyOf(rest.slice(end + 4), Number(status), headers);
    answers.push({ status: Number(status), headers, body: decodeBytes(body) });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

/** The body of a response, and how long it is on the wire. */
function bodyOf(
  text: string,
  status: number,
  headers: RawAnswer["headers"],
): readonly [body: string, length: number] {
  if (status < 200 || status === 204 || status === 304) return ["", 0];
  const length = headers.get("content-length");
  if (length !== undefined) {
    const body = text.slice(0, Number(length));
    // The response to HEAD has a length, but no body.
    return text === "" ? ["", 0] : [body, body.length];
  }
  if (headers.get("transfer-encoding") !== "chunked") return [text, text.length];
  let body = "";
  for (let at = 0;;) {
    const [line = "", digits = ""] = /^([0-9a-f]+)\r\n/i.exec(text.slice(at, at + 20)) ?? [];
    const size = parseInt(digits, 16);
    if (Number.isNaN(size)) return [body, text.length];
    body += text.slice(at + line.length, at + line.length + size);
    at += line.length + size + 2;
    if (size === 0) return [body, at];
  }
}

function decodeBytes(text: string): string {
  return decoder.decode(Uint8Array.from(text, (character) => character.charCodeAt(0)));
}
