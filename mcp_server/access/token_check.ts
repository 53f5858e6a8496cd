import type { Buffer } from "node:buffer";
import { createHash, timingSafeEqual } from "node:crypto";
import { type Caller, DEFAULT_CALLER, type Identification, type TokenHolders } from "./caller.ts";

/** The credentials of an `Authorization` header (RFC 6750, section 2.1; schemes ignore case). */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** Creates the check of the `Authorization` header; the tokens are those of `owner`. */
export function createTokenCheck(
  tokens: readonly string[],
  holders?: TokenHolders,
  owner: Caller = DEFAULT_CALLER,
): (authorization: string | null) => Identification {
  const find = createDigestCheck(tokens, holders, owner);
  return (authorization) => {
    const given = bearerOf(authorization);
    if (given === undefined) return unauthorized("Send the header: Authorization: Bearer <token>");
    return find(digestOf(given)) ?? unauthorized("The token is not known here");
  };
}

/**
 * Creates the search for the caller of a token by its digest. Digests are compared in constant time
 * and all of them every time, so that timing reveals nothing about a token.
 */
export function createDigestCheck(
  tokens: readonly string[],
  holders?: TokenHolders,
  owner: Caller = DEFAULT_CALLER,
): (digest: Uint8Array) => Identification | undefined {
  const known = tokens.map(digestOf);
  return (digest) => {
    let isDefault = false;
    for (const token of known) {
      if (timingSafeEqual(digest, token)) isDefault = true;
    }
    const holder = holders?.findByDigest(digest);
    // A token that is in the callers file too has no more rights than it says.
    if (holder !== undefined) return toIdentity(holder);
    return isDefault ? { ok: true, caller: owner } : undefined;
  };
}

/** The identification of a caller that was found. */
export function toIdentity(
  { caller, revoked }: { readonly caller: Caller; readonly revoked?: AbortSignal | undefined },
): Identification {
  return { ok: true, caller, ...(revoked === undefined ? {} : { revoked }) };
}

/** The token of an `Authorization` header, or `undefined` if it has not exactly one. */
export function bearerOf(authorization: string | null): string | undefined {
  return authorization === null ? undefined : BEARER.exec(authorization)?.[1];
}

/** The SHA-256 of a token. */
export function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function unauthorized(reason: string): Identification {
  return { ok: false, code: "UNAUTHORIZED", reason };
}
