import { messageOf } from "../shared/error.ts";
import { isJsonObject } from "../shared/json.ts";
import { isSecure, metadataUrlsOf, type OAuthSettings } from "./oauth_settings.ts";

/** Where the keys of an issuer are. */
type KeySource = Omit<OAuthSettings, "resource">;

/** Fetches a JSON document. */
type FetchJson = (url: string) => Promise<unknown>;

/**
 * Finds the URL of an issuer's keys. Tries each place of its metadata that RFC 8414 and OpenID
 * Connect name. Rejects with an `Error` that says what each of them answered.
 */
export async function findKeysUrl(source: KeySource, fetchJson: FetchJson): Promise<string> {
  if (source.jwks !== undefined) return source.jwks;
  const failures: unknown[] = [];
  for (const url of metadataUrlsOf(source.issuer)) {
    try {
      return keysUrlIn(await fetchJson(url), { url, issuer: source.issuer });
    } catch (error) {
      failures.push(error);
    }
  }
  const states = failures.map((error) => error instanceof Error ? error.message : String(error));
  throw new AggregateError(failures, states.join("; "));
}

/**
 * Reads metadata. The issuer in it must be the one that was asked, letter for letter (RFC 8414,
 * section 3.3): otherwise one issuer could speak for another.
 */
function keysUrlIn(
  metadata: unknown,
  { url, issuer }: { readonly url: string; readonly issuer: string },
): string {
  const refuse = (state: string) => new Error(`Cannot use "${url}": ${state}`);
  if (!isJsonObject(metadata)) throw refuse("it is not a JSON object");
  if (metadata.issuer !== issuer) {
    throw refuse(
      `its issuer is ${JSON.stringify(metadata.issuer)?.slice(0, 200)}, not "${issuer}"`,
    );
  }
  const { jwks_uri: keys } = metadata;
  const parsed = typeof keys === "string" ? URL.parse(keys) : null;
  if (parsed === null || !isSecure(parsed)) throw refuse("its jwks_uri is no https URL");
  return parsed.href;
}

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
