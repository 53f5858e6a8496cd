import { LOOPBACK_HOSTS, SCOPES } from "./caller.ts";

/** The settings of OAuth. */
export interface OAuthSettings {
  /** Who issues the tokens. */
  readonly issuer: string;
  /** The canonical URI of this server, which tokens name as their audience. */
  readonly resource: string;
  /** The URL of the issuer's keys. @default {what the issuer's metadata says} */
  readonly jwks?: string;
  /** The id by which the issuer knows the console, a public client. @default {no log-in there} */
  readonly consoleClientId?: string;
}

/** The settings of an environment, if it has any, or what is wrong with them. */
type OAuthReading =
  | { readonly ok: true; readonly oauth?: OAuthSettings }
  | { readonly ok: false; readonly fault: string };

/** Reads the settings of OAuth; an empty variable counts as unset. */
export function readOAuthSettings(env: Readonly<Record<string, string>>): OAuthReading {
  const { MCP_OAUTH_ISSUER: issuer, MCP_OAUTH_RESOURCE: resource, MCP_OAUTH_JWKS: jwks } = env;
  const { MCP_OAUTH_CONSOLE_CLIENT_ID: consoleClientId } = env;
  if (!issuer && !resource && !jwks && !consoleClientId) return { ok: true };
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
    ["MCP_OAUTH_CONSOLE_CLIENT_ID", consoleClientId, whyNotClientId(consoleClientId)],
  ] as const;
  for (const [name, value, fault] of checks) {
    if (fault !== undefined) return { ok: false, fault: `Cannot use ${name} "${value}": ${fault}` };
  }
  return {
    ok: true,
    oauth: {
      issuer,
      resource,
      ...(jwks ? { jwks } : {}),
      ...(consoleClientId ? { consoleClientId } : {}),
    },
  };
}

/** Returns why a text can't be the id of a client (RFC 6749, appendix A.1), or `undefined`. */
function whyNotClientId(text: string | undefined): string | undefined {
  if (!text || /^[\x20-\x7e]{1,256}$/.test(text)) return undefined;
  return "it must have at most 256 printable characters of ASCII";
}

/** Returns why a URL can't be the issuer of tokens, or `undefined` if it can (RFC 8414, section 2). */
export function whyNotIssuer(text: string): string | undefined {
  if (/[?#\s]/.test(text)) return "it must have no query, no fragment and no space";
  return whyNotSecure(text);
}

/** Returns why a URL can't be trusted to be fetched from, or `undefined` if it can. */
function whyNotSecure(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null) return "it must be a URL, such as https://login.example.org";
  if (!isSecure(url)) return "it must use https; http is for 127.0.0.1, [::1] and localhost only";
  const hasUser = url.username !== "" || url.password !== "";
  return hasUser ? "it must have no user and no password" : undefined;
}

/** Whether a URL may be fetched from: encrypted, or of this machine. */
export function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || protocol === "http:" && LOOPBACK_HOSTS.includes(hostname);
}

/**
 * The URLs at which an issuer may publish its metadata, in the order in which they are tried (RFC
 * 8414, sections 3 and 5; OpenID Connect Discovery 1.0, section 4).
 */
export function metadataUrlsOf(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const inserted = ["oauth-authorization-server", "openid-configuration"]
    .map((name) => `${origin}/.well-known/${name}${path}`);
  return path === ""
    ? inserted
    : [...inserted, `${origin}${path}/.well-known/openid-configuration`];
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** The path of the MCP endpoint, at which clients look for metadata first. */
const MCP_PATH = "/mcp";

/**
 * Returns why a text can't be the canonical URI of this server, or `undefined` if it can (MCP
 * specification, "Canonical Server URI"). Tokens name it letter for letter, so that there must be
 * one way to write it.
 */
export function whyNotCanonical(text: string): string | undefined {
  const fault = whyNotSecure(text);
  if (fault !== undefined) return fault;
  if (/[?#]/.test(text)) return "it must have no query and no fragment";
  if (text.endsWith("/")) return "it must have no slash at its end";
  const canonical = new URL(text).href.replace(/\/$/, "");
  return text === canonical ? undefined : `write it as ${canonical}`;
}

/**
 * What the `aud` of a token for a resource may be: many clients write an origin with a slash, which
 * is the same URI (RFC 3986, section 6.2.3).
 */
export function audiencesOf(resource: string): string[] {
  return new URL(resource).pathname === "/" ? [resource, `${resource}/`] : [resource];
}

/** The URL of a resource's metadata (RFC 9728, section 3.1). */
export function metadataUrlOf(resource: string): string {
  const { origin, pathname } = new URL(resource);
  return `${origin}${WELL_KNOWN}${pathname.replace(/\/$/, "")}`;
}

/** The paths at which the metadata is served: that of the resource, of the endpoint, and the root. */
export function metadataPathsOf(resource: string): readonly string[] {
  const own = new URL(metadataUrlOf(resource)).pathname;
  return [...new Set([own, `${WELL_KNOWN}${MCP_PATH}`, WELL_KNOWN])];
}

/**
 * The metadata of this server (RFC 9728, section 2). `admin` is not offered, because clients request
 * all scopes that they find here; an operator who grants it names it to the client.
 */
export function toResourceMetadata(
  { issuer, resource }: { readonly issuer: string; readonly resource: string },
): object {
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: SCOPES.filter((scope) => scope !== "admin"),
    bearer_methods_supported: ["header"],
    resource_name: "Trestle",
  };
}

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
