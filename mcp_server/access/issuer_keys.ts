import type { FlattenedJWSInput, JWSHeaderParameters } from "jose";
import { messageOf } from "../shared/error.ts";
import { isJsonObject } from "../shared/json.ts";
import { isSecure, metadataUrlsOf, type OAuthSettings } from "./oauth_settings.ts";

/** Finds the key that a token is signed with; rejects if there is none. */
export type FindKey = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;

/** What the keys of an issuer work with. */
interface IssuerKeysParts {
  /** Fetches all keys. */
  readonly load: () => Promise<FindKey>;
  /** Whether an error of `FindKey` says that no key has the id of the token. */
  readonly isUnknownKey: (error: unknown) => boolean;
  /** Called when fetching begins to fail, with the reason, and when it succeeds again. */
  readonly onChange: (failure: string | undefined) => void;
  /** Milliseconds since any moment. */
  readonly now: () => number;
}

/** There are no keys to check a token with: the issuer does not answer. */
export class KeysUnavailable extends Error {
  /** Name of the error class. */
  override readonly name: string = "KeysUnavailable";
}

/** How long keys are used without asking again whether they still are the issuer's. */
const FRESH_MS = 600_000;
/** How long they are used if the issuer does not answer. */
const USABLE_MS = 3_600_000;
/** How long after a failure the issuer is asked again. */
export const RETRY_MS = 2_000;
/** How often in a minute the keys are fetched because a token names an unknown one. */
const MOST_MISSES = 3;
const MISS_WINDOW_MS = 60_000;

/**
 * The keys of an issuer, fetched when they are first needed and kept. A token with an unknown key
 * has them fetched again, because the issuer may have rotated them, but only three times a minute:
 * anybody can send such a token.
 */
export class IssuerKeys {
  readonly #parts: IssuerKeysParts;
  #keys: { readonly find: FindKey; readonly since: number } | undefined;
  #loading: Promise<FindKey> | undefined;
  #failure: { readonly reason: string; readonly at: number } | undefined;
  #misses: number[] = [];

  constructor(parts: IssuerKeysParts) {
    this.#parts = parts;
  }

  /** The key of a token. Rejects with {@linkcode KeysUnavailable} if the issuer can't be asked. */
  find: FindKey = async (header, token) => {
    const known = await this.current();
    try {
      return await known(header, token);
    } catch (error) {
      if (!this.#parts.isUnknownKey(error) || !this.#mayAskAgain(known)) throw error;
    }
    const newer = this.#keys?.find;
    const find = newer === undefined || newer === known ? await this.#reload() : newer;
    return await find(header, token);
  };

  /** The keys as they are known, which are fetched if they are old. */
  async current(): Promise<FindKey> {
    const age = this.#keys === undefined ? Infinity : this.#parts.now() - this.#keys.since;
    if (this.#keys !== undefined && age < FRESH_MS) return this.#keys.find;
    if (this.#keys === undefined || age >= USABLE_MS) return await this.#reload();
    const { find } = this.#keys;
    const wasFailing = this.#failure !== undefined;
    const reloading = this.#reload().catch(() => find);
    return wasFailing ? find : await reloading;
  }

  /** Whether other keys than those known may be had: they are here, on their way, or due. */
  #mayAskAgain(known: FindKey): boolean {
    if (this.#keys?.find !== known || this.#loading !== undefined) return true;
    if (this.#failure !== undefined) return true;
    const now = this.#parts.now();
    this.#misses = this.#misses.filter((at) => now - at < MISS_WINDOW_MS);
    if (this.#misses.length >= MOST_MISSES) return false;
    this.#misses.push(now);
    return true;
  }

  /** Fetches the keys; requests that come at the same time share one fetch. */
  async #reload(): Promise<FindKey> {
    const failure = this.#failure;
    if (failure !== undefined && this.#parts.now() - failure.at < RETRY_MS) {
      throw new KeysUnavailable(failure.reason);
    }
    this.#loading ??= this.#load().finally(() => this.#loading = undefined);
    return await this.#loading;
  }

  async #load(): Promise<FindKey> {
    const { load, now, onChange } = this.#parts;
    const wasFailing = this.#failure !== undefined;
    try {
      const find = await load();
      this.#keys = { find, since: now() };
      this.#failure = undefined;
      if (wasFailing) onChange(undefined);
      return find;
    } catch (cause) {
      const reason = messageOf(cause);
      this.#failure = { reason, at: now() };
      if (!wasFailing) onChange(reason);
      throw new KeysUnavailable(reason, { cause });
    }
  }
}

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
