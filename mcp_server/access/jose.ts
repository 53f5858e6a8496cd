import type { createLocalJWKSet, decodeJwt, JSONWebKeySet, jwtVerify } from "jose";
import { isJsonObject } from "../shared/json.ts";
import type { FindKey } from "./issuer_keys.ts";

/** What is used of the package `jose`. */
export interface Jose {
  readonly createLocalJWKSet: typeof createLocalJWKSet;
  readonly decodeJwt: typeof decodeJwt;
  readonly jwtVerify: typeof jwtVerify;
}

/** The module is found by a computed name; `scripts/compile` puts it into the program. */
const PACKAGE = new URL("./jose_package.ts", import.meta.url).href;

/** Loads the package: a server without OAuth neither downloads nor loads it. */
export async function loadJose(): Promise<Jose> {
  const { jose }: { jose: Jose } = await import(PACKAGE);
  return jose;
}

/** The code of the error for a token whose key is not in the set. */
export const UNKNOWN_KEY = "ERR_JWKS_NO_MATCHING_KEY";

/** Reads a JSON Web Key Set. Throws if it is none; the search for a private key in it rejects. */
export function createKeyFinder({ createLocalJWKSet }: Jose, document: unknown): FindKey {
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
