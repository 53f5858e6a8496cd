import { HOST_FORM, isLoopback } from "../access/host_and_origin.ts";
import { type OAuthSettings, readOAuthSettings } from "../access/oauth_settings.ts";
import { TOKEN_FORM } from "../access/token.ts";
import { ConfigError, type Env } from "./setting_value.ts";

const MOST_TOKENS = 2;

/** A command that creates a token, for messages that require one. */
export const TOKEN_COMMAND = "MCP_TOKEN=$(openssl rand -hex 32)";

/**
 * Reads the tokens of the caller `default`. Throws if there are none although the address is
 * reachable by others and nothing else says who may call.
 */
export function parseTokens(env: Env, host: string): string[] {
  const { MCP_TOKEN: text = "", MCP_CALLERS_FILE: file, MCP_OAUTH_ISSUER: issuer } = env;
  const tokens = text === "" ? [] : text.split(",").map((token) => token.trim());
  if (tokens.length > MOST_TOKENS) {
    throw new ConfigError(`Cannot use MCP_TOKEN: it has ${tokens.length} tokens, 2 are the most`);
  }
  if (!tokens.every((token) => TOKEN_FORM.test(token))) {
    throw new ConfigError(
      `Cannot use MCP_TOKEN: a token has letters, digits and "-._~+/" only; try ${TOKEN_COMMAND}`,
    );
  }
  if (tokens.length === 0 && !file && !issuer && !isLoopback(host)) {
    throw new ConfigError(
      `Cannot listen on "${host}" without a token: set ${TOKEN_COMMAND} or MCP_CALLERS_FILE`,
    );
  }
  return tokens;
}

/** Reads whose OAuth tokens are accepted, if any are. */
export function parseOAuth(env: Env): { readonly oauth?: OAuthSettings } {
  const reading = readOAuthSettings(env);
  if (!reading.ok) throw new ConfigError(reading.fault);
  return reading.oauth === undefined ? {} : { oauth: reading.oauth };
}

/** Checks the form of a name by which clients may call the server. */
export function parseHostName(text: string): string {
  if (HOST_FORM.test(text)) return text;
  throw new ConfigError(
    `Cannot use MCP_ALLOWED_HOSTS "${text}": a host is like tools.example.org or [::1]:8443`,
  );
}

/** Reads the origin of web pages that may call, in lower case. */
export function parseOrigin(text: string): string {
  const origin = URL.parse(text)?.origin;
  if (origin === text.toLowerCase() && origin !== "null") return origin;
  throw new ConfigError(
    `Cannot use MCP_ALLOWED_ORIGINS "${text}": an origin is like https://example.org:8443`,
  );
}

/** Reads where the certificate and its private key are; one of them alone is an error. */
export function parseTls(
  { MCP_TLS_CERT: cert, MCP_TLS_KEY: key }: Env,
): { readonly tls?: { readonly certFile: string; readonly keyFile: string } } {
  if (!cert && !key) return {};
  if (cert && key) return { tls: { certFile: cert, keyFile: key } };
  throw new ConfigError("Cannot serve HTTPS: set both MCP_TLS_CERT and MCP_TLS_KEY");
}
