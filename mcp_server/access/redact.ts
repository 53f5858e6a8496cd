/** Redacts secrets in what is logged. */
interface Redactor {
  /** Replaces every secret in a text. */
  text(text: string): string;
  /**
   * For `JSON.stringify()`: replaces secrets in texts, and the whole value of a key that names a
   * secret.
   */
  replacer(key: string, value: unknown): unknown;
}

/** What is shown in place of a secret that has no name. */
export const REDACTED = "[redacted]";
const SECRET_KEY = /token|passw|passphrase|secret|authorization|cookie|credential|api_?key/i;
const SHORTEST_SECRET = 4;

/**
 * Creates a redactor for the given secrets. A secret of fewer than 4 characters is not redacted,
 * because it would match parts of ordinary words. What is logged is masked in addition.
 */
export function createRedactor(
  secrets: readonly string[],
  mask: (text: string) => string = (text) => text,
): Redactor {
  const known = [...new Set(secrets)]
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length);
  const text = (value: string) =>
    known.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), value);
  return {
    text,
    replacer: (key, value) => {
      if (namesSecret(key, value)) return REDACTED;
      return typeof value === "string" ? mask(text(value)) : value;
    },
  };
}

/** Whether the whole value of a key is a secret, as its name says. */
export function namesSecret(key: string, value: unknown): boolean {
  return SECRET_KEY.test(key) && !areNames(key, value);
}

/** Whether a value is the list of names by which a call asks for secrets. */
function areNames(key: string, value: unknown): boolean {
  return key === "secrets" && Array.isArray(value) &&
    value.every((name) => typeof name === "string" && /^[A-Z][A-Z0-9_]{0,63}$/.test(name));
}

/** Variables whose values are secrets of the server. */
const SECRET_NAME =
  /^(MCP_TOKEN|MCP_JOBS_URL|MCP_DATABASE_.+|MCP_.*PASSW.*|DATABASE_URL|PGPASSWORD)$|PASSPHRASE/;

/** Collects the secret values of an environment, and the passwords inside its URLs. */
export function secretsOf(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env)
    .filter(([name, value]) => SECRET_NAME.test(name) && value !== "")
    .flatMap(([name, value]) =>
      name === "MCP_TOKEN"
        ? value.split(",").map((token) => token.trim())
        : [value, ...password(value)]
    );
}

function password(value: string): string[] {
  const found = URL.parse(value)?.password ?? "";
  return found === "" ? [] : [found, decoded(found)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
