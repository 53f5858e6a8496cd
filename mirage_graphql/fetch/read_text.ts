import { type Refusal, refuse } from "../request/outcome.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads the body of a request as UTF-8, counting its bytes while they come. */
export async function readText(request: Request, maxBytes: number): Promise<string | Refusal> {
  if (Number(request.headers.get("content-length")) > maxBytes) return tooLarge(maxBytes);
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readBytes(request, maxBytes);
  } catch (error) {
    if (request.signal.aborted) throw error;
    return refuse(400, "Cannot read the body: it broke off");
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

/** A length that is told was checked, and can't be exceeded; else the chunks are counted. */
async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  if (request.headers.has("content-length")) {
    const bytes = new Uint8Array(await request.arrayBuffer());
    return bytes.length > maxBytes ? undefined : bytes;
  }
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
