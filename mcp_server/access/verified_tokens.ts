import type { TokenIdentity } from "./access_token.ts";

/** How long the check of a token is remembered, unless it expires before. */
const MOST_MS = 60_000;
const MOST_TOKENS = 1_000;

/** A token that was checked. */
export interface VerifiedToken {
  readonly identity: TokenIdentity;
  /** When it expires, in milliseconds of the epoch. */
  readonly expiresAt: number;
}

/** Remembers tokens that were checked by their digests, the last thousand, for a minute at most. */
export class VerifiedTokens {
  readonly #known = new Map<string, { readonly identity: TokenIdentity; readonly until: number }>();
  readonly #now: () => number;

  /** Takes the clock, in milliseconds of the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whom a token names, or `undefined` if it has to be checked. */
  get(digest: Uint8Array): TokenIdentity | undefined {
    const key = digest.toBase64();
    const known = this.#known.get(key);
    if (known === undefined) return undefined;
    if (this.#now() < known.until) return known.identity;
    this.#known.delete(key);
    return undefined;
  }

  /** Remembers a token; the one that was added first is forgotten if there are too many. */
  add(digest: Uint8Array, { identity, expiresAt }: VerifiedToken): void {
    const [first] = this.#known.keys();
    if (this.#known.size >= MOST_TOKENS && first !== undefined) this.#known.delete(first);
    const until = Math.min(expiresAt, this.#now() + MOST_MS);
    this.#known.set(digest.toBase64(), { identity, until });
  }
}
