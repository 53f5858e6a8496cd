import type { Buffer } from "node:buffer";
import { createHash, timingSafeEqual } from "node:crypto";
import { type Caller, DEFAULT_CALLER } from "../domain/caller.ts";

/** Who sent a request, or why the request is rejected. */
export type Identification =
  | { readonly ok: true; readonly caller: Caller }
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

const DEFAULT: Identification = Object.freeze({ ok: true, caller: DEFAULT_CALLER });

/**
 * Creates the check of the `Authorization` header. With no tokens every request passes. Digests are
 * compared in constant time and all of them every time, so that timing reveals nothing about a
 * token.
 */
export function createTokenCheck(
  tokens: readonly string[],
): (authorization: string | null) => Identification {
  const known = tokens.map((token, at) => ({
    digest: sha256(token),
    // During a rotation, the holders of each token have their own jobs.
    identity: at === 0 ? DEFAULT : { ok: true, caller: { name: `default-${at + 1}` } } as const,
  }));
  return (authorization) => {
    if (known.length === 0) return DEFAULT;
    const given = authorization === null ? undefined : BEARER.exec(authorization)?.[1];
    if (given === undefined) return refuse("Send the header: Authorization: Bearer <token>");
    const digest = sha256(given);
    let found: Identification | undefined;
    for (const token of known) {
      if (timingSafeEqual(digest, token.digest)) found = token.identity;
    }
    return found ?? refuse("The token is not known here");
  };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function refuse(reason: string): Identification {
  return { ok: false, status: 401, code: "UNAUTHORIZED", reason };
}
