import type { Buffer } from "node:buffer";
import { createHash, timingSafeEqual } from "node:crypto";
import { type Caller, DEFAULT_CALLER } from "../domain/caller.ts";

/** Who sent a request, or why the request is rejected. */
export type Identification =
  | ({ readonly ok: true } & Holder)
  | {
    readonly ok: false;
    readonly status: 401 | 403;
    readonly code: string;
    readonly reason: string;
    /** The `WWW-Authenticate` header. @default {"Bearer" with 401, none with 403} */
    readonly challenge?: string;
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

/** A caller, and when it is one no longer. */
export interface Holder {
  /** Its name and its rights. */
  readonly caller: Caller;
  /** Aborts once its rights have changed or it has none. */
  readonly revoked?: AbortSignal;
}

const DEFAULT: Identification = Object.freeze({ ok: true, caller: DEFAULT_CALLER });

/**
 * Creates the check of the `Authorization` header. With neither tokens nor holders, every request
 * passes. Digests are compared in constant time and all of them every time, so that timing reveals
 * nothing about a token.
 */
export function createTokenCheck(
  tokens: readonly string[],
  holders?: TokenHolders,
): (authorization: string | null) => Identification {
  const known = tokens.map(sha256);
  return (authorization) => {
    if (known.length === 0 && holders === undefined) return DEFAULT;
    const given = authorization === null ? undefined : BEARER.exec(authorization)?.[1];
    if (given === undefined) return refuse("Send the header: Authorization: Bearer <token>");
    const digest = sha256(given);
    let isDefault = false;
    for (const token of known) {
      if (timingSafeEqual(digest, token)) isDefault = true;
    }
    const holder = holders?.findByDigest(digest);
    if (isDefault) return DEFAULT;
    return holder === undefined ? refuse("The token is not known here") : toIdentity(holder);
  };
}

function toIdentity({ caller, revoked }: Holder): Identification {
  return { ok: true, caller, ...(revoked === undefined ? {} : { revoked }) };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function refuse(reason: string): Identification {
  return { ok: false, status: 401, code: "UNAUTHORIZED", reason };
}
