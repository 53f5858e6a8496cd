import { messageOf } from "../shared/error.ts";

/** Metadata and keys of common issuers have less than 20 kB. */
const MOST_BYTES = 262_144;
const TIMEOUT_MS = 5_000;

/**
 * Fetches a JSON document, of 256 KiB and in 5 s at most. Follows no redirect: what was configured
 * or discovered is what is trusted. Rejects with an `Error` that names the URL.
 */
export async function fetchJson(url: string, signal: AbortSignal): Promise<unknown> {
  const bounds = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const fetched = await fetchText(url, bounds).catch((error) => ({
    ok: false,
    state: bounds.aborted ? `it did not answer within ${TIMEOUT_MS / 1_000} s` : messageOf(error),
  } as const));
  const document = fetched.ok ? parse(fetched.value) : fetched;
  if (document.ok) return document.value;
  throw new Error(`Cannot fetch "${url}": ${document.state}`);
}

type Fetched<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly state: string };

async function fetchText(url: string, signal: AbortSignal): Promise<Fetched<string>> {
  const headers = { accept: "application/json" };
  const { status, body } = await fetch(url, { headers, redirect: "manual", signal });
  if (status === 200) return await readText(body, signal);
  await body?.cancel();
  return { ok: false, state: `it answers with status ${status}` };
}

/**
 * Reads a body as it arrives; leaving the loop cancels the rest. The signal of `fetch()` does not
 * suffice: Deno collects what follows it as garbage once the response has begun.
 */
async function readText(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  signal: AbortSignal,
): Promise<Fetched<string>> {
  const through = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  for await (const chunk of body?.pipeThrough(through, { signal }) ?? []) {
    size += chunk.length;
    if (size > MOST_BYTES) return { ok: false, state: `it sends more than ${MOST_BYTES} bytes` };
    text += decoder.decode(chunk, { stream: true });
  }
  return { ok: true, value: text + decoder.decode() };
}

function parse(text: string): Fetched<unknown> {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, state: "it sends no JSON" };
  }
}
