import { whyNotIssuer, whyNotSecure } from "./issuer.ts";
import { whyNotCanonical } from "./resource.ts";

/** The settings of OAuth. */
export interface OAuthSettings {
  /** Who issues the tokens. */
  readonly issuer: string;
  /** The canonical URI of this server, which tokens name as their audience. */
  readonly resource: string;
  /** The URL of the issuer's keys. @default {what the issuer's metadata says} */
  readonly jwks?: string;
}

/** The settings of an environment, if it has any, or what is wrong with them. */
export type OAuthReading =
  | { readonly ok: true; readonly oauth?: OAuthSettings }
  | { readonly ok: false; readonly fault: string };

/** Reads the settings of OAuth; an empty variable counts as unset. */
export function readOAuthSettings(env: Readonly<Record<string, string>>): OAuthReading {
  const { MCP_OAUTH_ISSUER: issuer, MCP_OAUTH_RESOURCE: resource, MCP_OAUTH_JWKS: jwks } = env;
  if (!issuer && !resource && !jwks) return { ok: true };
  if (!issuer || !resource) {
    return {
      ok: false,
      fault: "Cannot use OAuth: set both MCP_OAUTH_ISSUER and MCP_OAUTH_RESOURCE",
    };
  }
  const checks = [
    ["MCP_OAUTH_ISSUER", issuer, whyNotIssuer(issuer)],
    ["MCP_OAUTH_RESOURCE", resource, whyNotCanonical(resource)],
    ["MCP_OAUTH_JWKS", jwks, jwks ? whyNotSecure(jwks) : undefined],
  ] as const;
  for (const [name, value, fault] of checks) {
    if (fault !== undefined) return { ok: false, fault: `Cannot use ${name} "${value}": ${fault}` };
  }
  return { ok: true, oauth: { issuer, resource, ...(jwks ? { jwks } : {}) } };
}
