/** Takes secrets out of what is logged. */
export interface Redactor {
  /** Replaces every secret in a text. */
  text(text: string): string;
  /** For `JSON.stringify()`: replaces secrets in texts, and all of a value whose key names a secret. */
  replacer(key: string, value: unknown): unknown;
}

const REDACTED = "[redacted]";
const SECRET_KEY = /token|passw|passphrase|secret|authorization|cookie|credential|api_?key/i;
const SHORTEST_SECRET = 4;

/**
 * Makes a redactor for the texts that must not be told. A secret of fewer than 4 characters is left
 * alone, because it would be found in every other word.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const known = [...new Set(secrets)]
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length);
  const text = (value: string) =>
    known.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), value);
  return {
    text,
    replacer: (key, value) => {
      if (SECRET_KEY.test(key)) return REDACTED;
      return typeof value === "string" ? text(value) : value;
    },
  };
}
