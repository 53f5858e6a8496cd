import type { JWTVerifyOptions } from "jose";
import type { Log } from "../shared/log.ts";
import { ALGORITHMS, looksSigned, readClaims, type TokenIdentity } from "./access_token.ts";
import { fetchJson, findKeysUrl } from "./fetch_keys.ts";
import type { OAuthVerdict, VerifyToken } from "./identify.ts";
import { IssuerKeys, KeysUnavailable, RETRY_MS } from "./issuer_keys.ts";
import { createKeyFinder, type Jose, loadJose, reasonOf, UNKNOWN_KEY } from "./jose.ts";
import { audiencesOf, type OAuthSettings } from "./oauth_settings.ts";

/** Checks access tokens; ends what it fetches when it is disposed of. */
export interface TokenVerifier extends Disposable {
  /** Checks a token; one that was checked a moment ago is answered without a promise. */
  readonly verify: VerifyToken;
}

/** What a test replaces. */
interface VerifierOptions {
  /** Milliseconds of the epoch. @default {Date.now} */
  readonly now?: () => number;
}

/** How far the clock of the issuer may differ from that of this server. */
const CLOCK_TOLERANCE_SECONDS = 10;

/**
 * Creates the check of an issuer's access tokens (RFC 9068, RFC 8725). The keys begin to be fetched
 * at once; the issuer need not answer yet.
 */
export async function createTokenVerifier(
  config: OAuthSettings,
  log: Log,
  options: VerifierOptions = {},
): Promise<TokenVerifier> {
  const { now = Date.now } = options;
  const jose = await loadJose();
  const closing = new AbortController();
  const keys = createKeys(config, { jose, log, now, signal: closing.signal });
  const known = new VerifiedTokens(now);
  const verify = createCheck(config, { jose, keys, known, now });
  keys.current().catch(() => {});
  return {
    verify: (token, digest) => {
      const identity = known.get(digest);
      return identity === undefined ? verify(token, digest) : { ok: true, identity };
    },
    [Symbol.dispose]: () => closing.abort(),
  };
}

function createKeys(
  config: OAuthSettings,
  { jose, log, now, signal }: {
    readonly jose: Jose;
    readonly log: Log;
    readonly now: () => number;
    readonly signal: AbortSignal;
  },
): IssuerKeys {
  const { issuer } = config;
  const get = (url: string) => fetchJson(url, signal);
  return new IssuerKeys({
    load: async () => createKeyFinder(jose, await get(await findKeysUrl(config, get))),
    isUnknownKey: (error) =>
      error instanceof Error && "code" in error && error.code === UNKNOWN_KEY,
    onChange: (reason) => {
      if (signal.aborted) return;
      if (reason === undefined) {
        return log.info("the keys of the issuer are here again", { issuer });
      }
      log.warn("can't fetch the keys of the issuer, trying again", { issuer, reason });
    },
    now,
  });
}

function createCheck(
  { issuer, resource }: OAuthSettings,
  { jose, keys, known, now }: {
    readonly jose: Jose;
    readonly keys: IssuerKeys;
    readonly known: VerifiedTokens;
    readonly now: () => number;
  },
): (token: string, digest: Uint8Array) => Promise<OAuthVerdict> {
  const required: JWTVerifyOptions = {
    issuer,
    audience: audiencesOf(resource),
    algorithms: [...ALGORITHMS],
    requiredClaims: ["exp", "sub"],
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
  };
  return async (token, digest) => {
    if (!looksSigned(token)) return refuse("The token is not known here, and not a signed JWT");
    try {
      if (jose.decodeJwt(token).iss !== issuer) return refuse("The token is of another issuer");
      const options = { ...required, currentDate: new Date(now()) };
      const { payload, protectedHeader } = await jose.jwtVerify(token, keys.find, options);
      const claims = readClaims({ ...protectedHeader }, payload);
      if (!claims.ok) return refuse(claims.reason);
      const { identity } = claims;
      known.add(digest, { identity, expiresAt: 1_000 * (payload.exp ?? 0) });
      return { ok: true, identity };
    } catch (error) {
      if (error instanceof KeysUnavailable) return notNow(issuer);
      return refuse(reasonOf(error, resource));
    }
  };
}

function refuse(reason: string): OAuthVerdict {
  return { ok: false, status: 401, reason };
}

function notNow(issuer: string): OAuthVerdict {
  return {
    ok: false,
    status: 503,
    reason: `The token can't be checked now: the keys of ${issuer} are not available; try again`,
    retryAfterSeconds: RETRY_MS / 1_000,
  };
}

/** How long the check of a token is remembered, unless it expires before. */
const MOST_MS = 60_000;
const MOST_TOKENS = 1_000;

/** A token that was checked. */
interface VerifiedToken {
  readonly identity: TokenIdentity;
  /** When it expires, in milliseconds of the epoch. */
  readonly expiresAt: number;
}

/** Remembers tokens that were checked by their digests, the last thousand, for a minute at most. */
export class VerifiedTokens {
  readonly #known = new Map<string, { readonly identity: TokenIdentity; readonly until: number }>();
  readonly #now: () => number;

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
