import { SCOPES } from "./scope.ts";
import { whyNotSecure } from "./issuer.ts";

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
