import { parseSharedState, type SharedState } from "./shared_state.ts";

/** Bytes of a longest link: browsers take more, but mail programs and chats don't. */
export const MAX_LINK_BYTES = 64 * 1024;

/** Characters that a link may become when it is opened: a schema of 1 MB, and its records. */
const MAX_STATE_BYTES = 8 * 1024 * 1024;

/** The name of the state in the fragment of an address. */
const KEY = "s=";

/** The fragment of an address that carries a state, without `#`; compressed. */
export async function encodeFragment(state: SharedState): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const compressed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return `${KEY}${toBase64Url(new Uint8Array(await new Response(compressed).arrayBuffer()))}`;
}

/**
 * The state that the fragment of an address carries; `undefined` if it carries none.
 *
 * @throws {TypeError} If it is damaged.
 * @throws {RangeError} If it becomes larger than 8 MB.
 */
export async function decodeFragment(fragment: string): Promise<SharedState | undefined> {
  const text = fragment.replace(/^#/, "");
  if (!text.startsWith(KEY)) return undefined;
  const bytes = fromBase64Url(text.slice(KEY.length));
  return parseSharedState(await inflate(bytes));
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    for await (const chunk of stream) {
      size += chunk.length;
      // a few bytes can become gigabytes
      if (size > MAX_STATE_BYTES) break;
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (cause) {
    throw new TypeError("Cannot open the link: it is damaged", { cause });
  }
  if (size > MAX_STATE_BYTES) {
    throw new RangeError(`Cannot open the link: it has more than ${MAX_STATE_BYTES} bytes`);
  }
  try {
    return JSON.parse(text + decoder.decode());
  } catch (cause) {
    throw new TypeError("Cannot open the link: it is damaged", { cause });
  }
}

function toBase64Url(bytes: Uint8Array): string {
  const blocks: string[] = [];
  // the arguments of one call are limited
  for (let start = 0; start < bytes.length; start += 8192) {
    blocks.push(String.fromCharCode(...bytes.subarray(start, start + 8192)));
  }
  return btoa(blocks.join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch (cause) {
    throw new TypeError("Cannot open the link: it is damaged", { cause });
  }
}
