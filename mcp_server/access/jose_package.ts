import { createLocalJWKSet } from "jose/jwks/local";
import { decodeJwt } from "jose/jwt/decode";
import { jwtVerify } from "jose/jwt/verify";
import type { Jose } from "./token_verifier.ts";

/**
 * What is used of the package. Nothing imports this module by a literal name, because Deno downloads
 * what such a name leads to at the first start of every server, also of one without OAuth.
 */
export const jose: Jose = Object.freeze({ createLocalJWKSet, decodeJwt, jwtVerify });
