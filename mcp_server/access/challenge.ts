/** Why a token does not allow a request, for its client (RFC 6750, section 3). */
export interface Challenge {
  /** Absent if the request had no token. */
  readonly error?: "invalid_request" | "invalid_token" | "insufficient_scope";
  /** For developers, not for users. */
  readonly description?: string;
  /** The scopes that the request needs. */
  readonly scopes: readonly string[];
  /** Where the client learns which server issues tokens (RFC 9728, section 5.1). */
  readonly metadataUrl: string;
}

/** The value of `WWW-Authenticate` for a challenge. */
export function toHeaderValue({ error, description, scopes, metadataUrl }: Challenge): string {
  const fields = {
    ...(error === undefined ? {} : { error }),
    resource_metadata: metadataUrl,
    scope: scopes.join(" "),
    ...(description === undefined ? {} : { error_description: description }),
  };
  const texts = Object.entries(fields).map(([name, text]) => `${name}="${quotable(text)}"`);
  return `Bearer ${texts.join(", ")}`;
}

/** A text without the characters that the field can't have (RFC 6750, section 3). */
function quotable(text: string): string {
  return text.replaceAll('"', "'").replace(/[^\x20-\x5b\x5d-\x7e]/g, "?");
}
