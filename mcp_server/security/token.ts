import { createHash, timingSafeEqual } from "node:crypto";
import type { Buffer } from "node:buffer";

/** The verdict on a request's token: who calls, or why the call is rejected. */
export type TokenVerdict =
  | { readonly ok: true; readonly caller?: string }
  | {
    readonly ok: false;
    readonly status: 401;
    readonly code: "UNAUTHORIZED";
    readonly reason: string;
  };

/** The credentials of an `Authorization` header (RFC 6750, section 2.1; schemes ignore case). */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** A text that can be sent as a bearer token (RFC 6750, section 2.1, `b64token`). */
export const TOKEN_FORM = /^[A-Za-z0-9._~+/-]+=*$/;

/**
 * Creates the check of the `Authorization` header. With no tokens every request passes. Digests are
 * compared in constant time and all of them every time, so that timing reveals nothing about a
 * token.
 */
export function createTokenCheck(
  tokens: readonly string[],
): (authorization: string | null) => TokenVerdict {
  const known = tokens.map((token) => ({ digest: sha256(token), caller: digestPrefix(token) }));
  return (authorization) => {
    if (known.length === 0) return { ok: true };
    const given = authorization === null ? undefined : BEARER.exec(authorization)?.[1];
    if (given === undefined) return refuse("Send the header: Authorization: Bearer <token>");
    const digest = sha256(given);
    let caller: string | undefined;
    for (const token of known) {
      if (timingSafeEqual(digest, token.digest)) caller = token.caller;
    }
    return caller === undefined ? refuse("The token is not known here") : { ok: true, caller };
  };
}

/** Identifies a token in the audit without revealing it: 8 hexadecimal digits of its SHA-256. */
export function digestPrefix(token: string): string {
  return sha256(token).toString("hex").slice(0, 8);
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function refuse(reason: string): TokenVerdict {
  return { ok: false, status: 401, code: "UNAUTHORIZED", reason };
}
