import type { Exchange } from "./http_connection.ts";
import { type Parsed, refuse } from "./problem.ts";

const JSON_TYPE = /^application\/(?:json|[a-z0-9.!#$&^_+-]+\+json)\s*(?:;.*)?$/i;

/**
 * A body up to this size is read at once; a larger one is read in parts, each with its own
 * deadline.
 */
const SMALL_BYTES = 64 * 1024;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** How much of a body is read, and what sets the client's deadline. */
interface BodyOptions {
  readonly maxBytes: number;
  readonly exchange: Pick<Exchange, "expectBody" | "expectNothing">;
}

/** Reads the JSON body of a request. */
export async function readJson(request: Request, options: BodyOptions): Promise<Parsed<unknown>> {
  if (!isJsonType(request.headers.get("content-type"))) {
    return refuse("UNSUPPORTED_MEDIA_TYPE", "Send the body as application/json");
  }
  const body = await readBytes(request, options);
  return body.ok ? parse(body.value) : body;
}

/** Reads the body of a request, and counts its bytes as they arrive. */
export async function readBytes(
  request: Request,
  options: BodyOptions,
): Promise<Parsed<Uint8Array<ArrayBuffer>>> {
  const { maxBytes, exchange } = options;
  const length = request.headers.get("content-length");
  if (Number(length) > maxBytes) return tooLarge(maxBytes);
  try {
    exchange.expectBody();
    const isSmall = length !== null && Number(length) <= SMALL_BYTES;
    const bytes = await (isSmall ? request.bytes() : readStream(request.body, options));
    return bytes === undefined ? tooLarge(maxBytes) : { ok: true, value: bytes };
  } catch {
    return refuse("BODY_UNREADABLE", "The body ended early");
  } finally {
    exchange.expectNothing();
  }
}

function isJsonType(type: string | null): boolean {
  return type === "application/json" || (type !== null && JSON_TYPE.test(type.trim()));
}

function parse(bytes: Uint8Array<ArrayBuffer>): Parsed<unknown> {
  try {
    return { ok: true, value: JSON.parse(decoder.decode(bytes)) };
  } catch (error) {
    const reason = error instanceof SyntaxError ? "The body is not JSON" : "The body is not UTF-8";
    return refuse("MALFORMED_JSON", reason);
  }
}

/** Reads a body in parts; `undefined` if it is too large. */
async function readStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  { maxBytes, exchange }: BodyOptions,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
    exchange.expectBody();
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function tooLarge(maxBytes: number): Parsed<never> {
  return refuse(
    "BODY_TOO_LARGE",
    `The body is larger than ${maxBytes} bytes; the operator can set MCP_MAX_BODY_BYTES`,
  );
}
