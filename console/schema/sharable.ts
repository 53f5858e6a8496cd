import type { JsonObject, JsonValue } from "@trestle/mcp-server";
import { isObject } from "./field.ts";

/** What is kept in addresses and lists of runs: no variables, no input, and nothing named a secret. */
const UNSHARED = /^(env|stdin)$|token|passw|passphrase|authorization|cookie|credential|api_?key/i;
/** The most that an address has of arguments, encoded. */
const MOST_ADDRESS = 8 * 1024;

/** The arguments that may be seen by whoever sees the address or the screen. */
export function toSharable(args: JsonObject): JsonObject {
  const entries = Object.entries(args)
    .filter(([key, value]) => value !== undefined && !UNSHARED.test(key))
    .map(([key, value]) => [key, value === undefined ? value : share(value)]);
  return Object.fromEntries(entries);
}

function share(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(share);
  return isObject(value) ? toSharable(value) : value;
}

/** Whether arguments are the same without what is not shared. */
export function isSharable(args: JsonObject): boolean {
  return JSON.stringify(toSharable(args)) === JSON.stringify(args);
}

/** The arguments as a part of an address; `undefined` if that would be longer than 8 KiB. */
export function toAddress(args: JsonObject): string | undefined {
  const text = encodeURIComponent(JSON.stringify(toSharable(args)));
  return text.length <= MOST_ADDRESS ? text : undefined;
}

/**
 * Reads what {@linkcode toAddress} wrote; `undefined` for anything else. Whoever made a link may have
 * written more: variables, which decide what a command runs, are left out here too.
 */
export function parseAddress(text: string): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(decodeURIComponent(text));
    return isObject(value) ? toSharable(value) : undefined;
  } catch {
    return undefined;
  }
}
