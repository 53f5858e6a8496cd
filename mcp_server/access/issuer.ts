import { LOOPBACK_HOSTS } from "./host_and_origin.ts";

/** Returns why a URL can't be the issuer of tokens, or `undefined` if it can (RFC 8414, section 2). */
export function whyNotIssuer(text: string): string | undefined {
  if (/[?#\s]/.test(text)) return "it must have no query, no fragment and no space";
  return whyNotSecure(text);
}

/** Returns why a URL can't be trusted to be fetched from, or `undefined` if it can. */
export function whyNotSecure(text: string): string | undefined {
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
