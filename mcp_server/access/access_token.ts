/** Whom an access token names, and what for. */
export interface TokenIdentity {
  /** The user or the program, unique for the issuer. */
  readonly subject: string;
  readonly scopes: readonly string[];
}

/** What a token's claims say: who it is for, or why the token is not an access token. */
type ClaimsVerdict =
  | { readonly ok: true; readonly identity: TokenIdentity }
  | { readonly ok: false; readonly reason: string };

/** The algorithms that a token may be signed with: those whose key for checking signs nothing. */
export const ALGORITHMS: readonly string[] = Object.freeze([
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "Ed25519",
  "EdDSA",
]);

/** A token is at most this long; those of common issuers have 1 to 4 kB. */
const LONGEST_TOKEN = 16_384;

/** A JWS in compact serialization (RFC 7515, section 3.1); a token without a signature is none. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Whether a text can be a signed token at all. */
export function looksSigned(token: string): boolean {
  return token.length <= LONGEST_TOKEN && COMPACT.test(token);
}

/** The media types of access tokens (RFC 9068, section 4), and of tokens of no certain kind. */
const TYPES: ReadonlySet<unknown> = new Set([
  undefined,
  "jwt",
  "application/jwt",
  "at+jwt",
  "application/at+jwt",
]);

/** Claims of ID tokens and of events (OpenID Connect Core, section 3.3.2.11; RFC 8417). */
const NOT_OF_ACCESS = ["at_hash", "c_hash", "s_hash", "events"];

/** A subject has at most 255 characters (OpenID Connect Core, section 2). */
const SUBJECT = /^[^\p{Cc}\p{Cs}\u2028\u2029]{1,255}$/u;

/**
 * Reads a token whose signature, issuer, audience and times have been checked. Other tokens of the
 * same issuer are not accepted as access tokens (RFC 8725, section 3.12), nor are those that only
 * the holder of a key may use (RFC 9449, RFC 8705), because nothing here checks that key.
 */
export function readClaims(
  header: Readonly<Record<string, unknown>>,
  claims: Readonly<Record<string, unknown>>,
): ClaimsVerdict {
  const typ = typeof header.typ === "string" ? header.typ.toLowerCase() : header.typ;
  if (!TYPES.has(typ)) return refuse("The token is of another type than at+jwt or JWT");
  const foreign = NOT_OF_ACCESS.find((claim) => claim in claims);
  if (foreign !== undefined || !isForAccess(claims)) return refuse("It is not an access token");
  if ("cnf" in claims) {
    return refuse("The token is bound to a key (cnf), which this server does not check");
  }
  const { sub } = claims;
  if (typeof sub !== "string" || !SUBJECT.test(sub)) {
    return refuse("The token's sub must be a text of 1 to 255 characters");
  }
  return { ok: true, identity: { subject: sub, scopes: scopesIn(claims) } };
}

/** What issuers that mark the use of their tokens write: Cognito, and Keycloak. */
function isForAccess({ token_use: use = "access", typ: kind = "Bearer" }: {
  readonly token_use?: unknown;
  readonly typ?: unknown;
}): boolean {
  return use === "access" && kind === "Bearer";
}

/** The scopes of a token: `scope` (RFC 9068, section 2.2.3), or `scp` of issuers that use it. */
function scopesIn({ scope, scp }: Readonly<Record<string, unknown>>): readonly string[] {
  const given = scope ?? scp;
  const list = typeof given === "string" ? given.split(" ") : Array.isArray(given) ? given : [];
  return list.filter((one) => typeof one === "string" && one !== "");
}

function refuse(reason: string): ClaimsVerdict {
  return { ok: false, reason };
}

/**
 * The name of a caller that no file names: no two subjects share one, and no name in a callers file
 * has a `#`.
 */
export function nameOfSubject(issuer: string, subject: string): string {
  return `${issuer}#${subject}`;
}
