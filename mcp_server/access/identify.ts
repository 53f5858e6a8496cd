import type { Holder, Identification, Identify, Rights } from "./caller.ts";
import { bearerOf, digestOf, toIdentity } from "./token_check.ts";
import { nameOfSubject, type TokenIdentity } from "./access_token.ts";
import {
  type Challenge,
  metadataUrlOf,
  type OAuthSettings,
  toHeaderValue,
} from "./oauth_settings.ts";

/** Whom a token names, or why it is not accepted: it is wrong, or can't be checked now. */
export type OAuthVerdict =
  | { readonly ok: true; readonly identity: TokenIdentity }
  | { readonly ok: false; readonly status: 401; readonly reason: string }
  | {
    readonly ok: false;
    readonly status: 503;
    readonly reason: string;
    readonly retryAfterSeconds: number;
  };

/** Checks a token with the given SHA-256; answers at once if it knows that. */
export type VerifyToken = (
  token: string,
  digest: Uint8Array,
) => OAuthVerdict | Promise<OAuthVerdict>;

/** What the identification of OAuth tokens works with. */
export interface OAuthParts extends Pick<OAuthSettings, "issuer" | "resource"> {
  /** Finds the caller of another token by the SHA-256 of that. */
  readonly findOther: (digest: Uint8Array) => Identification | undefined;
  /** Checks a token; its SHA-256 is known already. */
  readonly verify: VerifyToken;
  /** Finds the caller that the operator names for a subject. @default {every subject is a caller} */
  readonly findCaller?: (subject: string) => Holder | undefined;
  /** The rights of such a caller, beside its scopes. @default {everything} */
  readonly rights?: Rights | undefined;
}

/** The scope that a client without a token begins with; calls that need more ask for it. */
const FIRST_SCOPE = "tools:read";

/**
 * Creates the identification of callers with tokens of OAuth, beside those with other tokens. Every
 * rejection that another token could avoid says where to get one (RFC 9728, section 5).
 */
export function createOAuthIdentify(parts: OAuthParts): Identify {
  const challenge = createChallenges(parts.resource);
  const answer = (verdict: OAuthVerdict): Identification => {
    if (verdict.ok) return toCaller(verdict.identity, parts);
    const { status, reason } = verdict;
    if (status === 401) return challenge("UNAUTHORIZED", reason, "invalid_token");
    const { retryAfterSeconds } = verdict;
    return { ok: false, code: "ISSUER_UNAVAILABLE", reason, retryAfterSeconds };
  };
  return (authorization) => {
    if (authorization === null || !/^bearer\b/i.test(authorization)) {
      return challenge("UNAUTHORIZED", "Send the header: Authorization: Bearer <token>");
    }
    const token = bearerOf(authorization);
    if (token === undefined) {
      const reason = "Send one token in the header Authorization: Bearer <token>";
      return challenge("BAD_REQUEST", reason, "invalid_request");
    }
    const digest = digestOf(token);
    const other = parts.findOther(digest);
    if (other !== undefined) return other;
    const verdict = parts.verify(token, digest);
    return verdict instanceof Promise ? verdict.then(answer) : answer(verdict);
  };
}

/**
 * The caller of a token. A subject that the operator does not name is refused without a challenge:
 * no other token of the subject would help.
 */
function toCaller(
  { subject, scopes }: TokenIdentity,
  { issuer, findCaller, rights }: OAuthParts,
): Identification {
  const found: Holder | undefined = findCaller === undefined
    ? { caller: { name: nameOfSubject(issuer, subject), ...(rights && { rights }) } }
    : findCaller(subject);
  if (found !== undefined) {
    const { caller, revoked } = found;
    return toIdentity({ caller: { ...caller, scopes }, revoked });
  }
  const reason = "The token is good, but no caller of this server has its subject; " +
    "ask the operator";
  return { ok: false, code: "NOT_ALLOWED", reason };
}

function createChallenges(resource: string) {
  const metadataUrl = metadataUrlOf(resource);
  return (
    code: "BAD_REQUEST" | "UNAUTHORIZED",
    reason: string,
    error?: Challenge["error"],
  ): Identification => ({
    ok: false,
    code,
    reason,
    challenge: toHeaderValue({
      error,
      description: error && reason,
      scopes: [FIRST_SCOPE],
      metadataUrl,
    }),
  });
}
