import type {
  createLocalJWKSet,
  decodeJwt,
  JSONWebKeySet,
  jwtVerify,
  JWTVerifyOptions,
} from "jose";
import type { Log } from "../shared/log.ts";
import { ALGORITHMS, looksSigned, readClaims, type TokenIdentity } from "./access_token.ts";
import {
  fetchJson,
  type FindKey,
  findKeysUrl,
  IssuerKeys,
  KeysUnavailable,
  RETRY_MS,
} from "./issuer_keys.ts";
import type { OAuthVerdict, VerifyToken } from "./identify.ts";
import { audiencesOf, type OAuthSettings } from "./oauth_settings.ts";
import { isJsonObject } from "../shared/json.ts";

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

/** What is used of the package `jose`. */
export interface Jose {
  readonly createLocalJWKSet: typeof createLocalJWKSet;
  readonly decodeJwt: typeof decodeJwt;
  readonly jwtVerify: typeof jwtVerify;
}

/** The module is found by a computed name; `scripts/compile` puts it into the program. */
const PACKAGE = new URL("./jose_package.ts", import.meta.url).href;

/** Loads the package: a server without OAuth neither downloads nor loads it. */
async function loadJose(): Promise<Jose> {
  const { jose }: { jose: Jose } = await import(PACKAGE);
  return jose;
}

/** The code of the error for a token whose key is not in the set. */
const UNKNOWN_KEY = "ERR_JWKS_NO_MATCHING_KEY";

/** Reads a JSON Web Key Set. Throws if it is none; the search for a private key in it rejects. */
function createKeyFinder({ createLocalJWKSet }: Jose, document: unknown): FindKey {
  if (!isKeySet(document)) {
    throw new Error("Cannot use the keys of the issuer: they are no key set");
  }
  return createLocalJWKSet(document);
}

function isKeySet(document: unknown): document is JSONWebKeySet {
  return isJsonObject(document) && Array.isArray(document.keys) &&
    document.keys.every(isJsonObject);
}

const REASONS: Readonly<Record<string, string>> = {
  ERR_JOSE_ALG_NOT_ALLOWED: "The algorithm of the token is not accepted",
  ERR_JOSE_NOT_SUPPORTED: "The token needs what this server does not support",
  ERR_JWKS_INVALID: "The issuer publishes a key for the token that is not a public one",
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: "The token names no key (kid), and its issuer has several",
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: "The signature of the token is wrong",
  ERR_JWT_EXPIRED: "The token has expired",
  [UNKNOWN_KEY]: "The token is signed with a key that its issuer does not publish",
};

/** Why a token is refused, for the client; has nothing of the token in it. */
export function reasonOf(error: unknown, resource: string): string {
  const { code = "", claim } = isFault(error) ? error : {};
  const reason = REASONS[code];
  if (reason !== undefined) return reason;
  if (claim === "aud") return `The token is for another server; its aud must be ${resource}`;
  if (claim === "nbf") return "The token is not valid yet";
  return claim === undefined
    ? "The token is not a well-formed JWT"
    : "A claim of the token is missing or wrong";
}

function isFault(error: unknown): error is { readonly code?: string; readonly claim?: string } {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}
