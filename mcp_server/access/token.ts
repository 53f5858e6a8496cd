import type { Buffer } from "node:buffer";
import { createHash, timingSafeEqual } from "node:crypto";
import { type Caller, DEFAULT_CALLER } from "./caller.ts";

/** Who sent a request, or why the request is rejected. */
export type Identification =
  | ({ readonly ok: true } & Holder)
  | {
    readonly ok: false;
    readonly code: "BAD_REQUEST" | "UNAUTHORIZED" | "NOT_ALLOWED" | "ISSUER_UNAVAILABLE";
    readonly reason: string;
    /** The `WWW-Authenticate` header. @default {"Bearer" with `UNAUTHORIZED`, else none} */
    readonly challenge?: string;
    /** When to try again, if the caller can't be identified now. */
    readonly retryAfterSeconds?: number;
  };

/** Identifies the caller by the `Authorization` header of a request. */
export type Identify = (
  authorization: string | null,
) => Identification | Promise<Identification>;

/** The credentials of an `Authorization` header (RFC 6750, section 2.1; schemes ignore case). */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** A text that can be sent as a bearer token (RFC 6750, section 2.1, `b64token`). */
export const TOKEN_FORM = /^[A-Za-z0-9._~+/-]+=*$/;

/** Who may call besides the holders of `MCP_TOKEN`. */
export interface TokenHolders {
  /** The caller whose token has this SHA-256; takes constant time. */
  findByDigest(digest: Uint8Array): Holder | undefined;
}

/** A caller, and what reports that it loses its rights. */
export interface Holder {
  /** Its name and its rights. */
  readonly caller: Caller;
  /** Aborts once its rights have changed or it has none. */
  readonly revoked?: AbortSignal;
}

/**
 * Creates the check of the `Authorization` header. With neither tokens nor holders, every request
 * passes. The tokens are those of `owner`.
 */
export function createTokenCheck(
  tokens: readonly string[],
  holders?: TokenHolders,
  owner: Caller = DEFAULT_CALLER,
): (authorization: string | null) => Identification {
  const find = createDigestCheck(tokens, holders, owner);
  const isOpen = tokens.length === 0 && holders === undefined;
  return (authorization) => {
    if (isOpen) return { ok: true, caller: owner };
    const given = bearerOf(authorization);
    if (given === undefined) return refuse("Send the header: Authorization: Bearer <token>");
    return find(digestOf(given)) ?? refuse("The token is not known here");
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

function refuse(reason: string): Identification {
  return { ok: false, code: "UNAUTHORIZED", reason };
}
