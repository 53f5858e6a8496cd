import { type Refusal, refuse } from "../execution/outcome.ts";

/** Reads the body of a request as UTF-8, counting its bytes as they arrive. */
export async function readText(request: Request, maxBytes: number): Promise<string | Refusal> {
  const bytes = await readBody(request, maxBytes);
  if ("kind" in bytes) return bytes;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return refuse(400, "Cannot read the body: it is not UTF-8");
  }
}

/** Reads the form of a multipart body, counting its bytes as they arrive. */
export async function readForm(request: Request, maxBytes: number): Promise<FormData | Refusal> {
  const bytes = await readBody(request, maxBytes);
  if ("kind" in bytes) return bytes;
  const type = request.headers.get("content-type") ?? "";
  try {
    return await new Response(bytes, { headers: { "Content-Type": type } }).formData();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return refuse(400, `Cannot read the multipart request: ${reason}`);
  }
}

async function readBody(
  request: Request,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | Refusal> {
  if (Number(request.headers.get("content-length")) > maxBytes) return tooLarge(maxBytes);
  try {
    return await readBytes(request, maxBytes) ?? tooLarge(maxBytes);
  } catch (error) {
    if (request.signal.aborted) throw error;
    return refuse(400, "Cannot read the body: it ended early");
  }
}

function tooLarge(maxBytes: number): Refusal {
  return refuse(413, `Cannot read the body: it is larger than ${maxBytes} bytes`);
}

/**
 * A declared length was checked before, and can't be exceeded; otherwise the chunks are counted.
 * The `Request` that Mirage defines in a page has no stream: its body is already in memory.
 */
async function readBytes(
  request: Request,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (request.headers.has("content-length") || !("body" in request)) {
    const bytes = new Uint8Array(await request.arrayBuffer());
    return bytes.length > maxBytes ? undefined : bytes;
  }
  return await readStream(request.body, maxBytes);
}

async function readStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
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
