import type { FlattenedJWSInput, JWSHeaderParameters } from "jose";
import { messageOf } from "../shared/error.ts";

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
