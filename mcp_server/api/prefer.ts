/** What a client prefers, of what the server knows. */
export interface Preferences {
  /** Whether the answer may come later. */
  readonly respondAsync: boolean;
  /** How long it may come late, in seconds; at most {@linkcode MOST_WAIT_SECONDS}. */
  readonly waitSeconds?: number;
}

/** The longest wait of one request; more is clamped. */
export const MOST_WAIT_SECONDS = 60;

/** Parts between commas; a comma within quotes is none. It matches any text in linear time. */
const PREFERENCE = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g;
const SECONDS = /^\d+$/;

/**
 * Reads a `Prefer` header (RFC 7240, section 2): of a preference that is repeated, the first one
 * counts; names are case-insensitive, values may be quoted, and what is unknown is ignored.
 */
export function parsePrefer(header: string): Preferences {
  const preferences = new Map<string, string>();
  for (const [preference] of header.matchAll(PREFERENCE)) {
    const [main = ""] = preference.split(";", 1);
    const equals = main.indexOf("=");
    const name = (equals < 0 ? main : main.slice(0, equals)).trim().toLowerCase();
    const value = equals < 0 ? "" : main.slice(equals + 1).trim();
    if (!preferences.has(name)) preferences.set(name, value.replace(/^"(.*)"$/, "$1"));
  }
  const wait = preferences.get("wait") ?? "";
  return {
    respondAsync: preferences.has("respond-async"),
    ...(SECONDS.test(wait) ? { waitSeconds: Math.min(Number(wait), MOST_WAIT_SECONDS) } : {}),
  };
}
