import { type Refusal, refuse } from "../request/outcome.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads the body of a request as UTF-8, counting its bytes as they arrive. */
export async function readText(request: Request, maxBytes: number): Promise<string | Refusal> {
  if (Number(request.headers.get("content-length")) > maxBytes) return tooLarge(maxBytes);
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readBytes(request, maxBytes);
  } catch (error) {
    if (request.signal.aborted) throw error;
    return refuse(400, "Cannot read the body: it ended early");
  }
  if (bytes === undefined) return tooLarge(maxBytes);
  try {
    return decoder.decode(bytes);
  } catch {
    return refuse(400, "Cannot read the body: it is not UTF-8");
  }
}

function tooLarge(maxBytes: number): Refusal {
  return refuse(413, `Cannot read the body: it is larger than ${maxBytes} bytes`);
}

/**
 * A declared length was checked before, and can't be exceeded; otherwise the chunks are counted.
 * The `Request` that Mirage defines in a page has no stream: its body is already in memory.
 */
async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  if (request.headers.has("content-length") || !("body" in request)) {
    const bytes = new Uint8Array(await request.arrayBuffer());
    return bytes.length > maxBytes ? undefined : bytes;
  }
  return await readStream(request.body, maxBytes);
}

async function readStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = body?.getReader();
  let size = 0;
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    size += read.value.length;
    if (size > maxBytes) {
      await reader?.cancel();
      return undefined;
    }
    chunks.push(read.value);
  }
  const [first, second] = chunks;
  if (first === undefined) return new Uint8Array();
  return second === undefined ? first : new Uint8Array(await new Blob(chunks).arrayBuffer());
}
