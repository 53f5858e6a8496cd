/** What a cursor identifies. */
export interface CursorTarget {
  /** Name of the record's GraphQL type. */
  readonly typeName: string;
  /** The record's id. */
  readonly id: string;
}

/**
 * The cursor of a record: base64 of `Type:id` as UTF-8.
 *
 * @example
 * ```ts
 * import { strictEqual } from "node:assert/strict";
 * import { encodeCursor } from "./cursor.ts";
 *
 * strictEqual(encodeCursor("Person", "1"), "UGVyc29uOjE=");
 * ```
 */
export function encodeCursor(typeName: string, id: string): string {
  const text = `${typeName}:${id}`;
  return btoa(NOT_ASCII.test(text) ? toByteString(text) : text);
}

/**
 * What a cursor identifies; `undefined` for a text that {@linkcode encodeCursor} doesn't return.
 *
 * @example
 * ```ts
 * import { deepStrictEqual } from "node:assert/strict";
 * import { decodeCursor } from "./cursor.ts";
 *
 * deepStrictEqual(decodeCursor("UGVyc29uOjE="), { typeName: "Person", id: "1" });
 * ```
 */
export function decodeCursor(cursor: string): CursorTarget | undefined {
  const text = decodeText(cursor);
  const colon = text?.indexOf(":") ?? -1;
  if (text === undefined || colon < 0) return undefined;
  const target = { typeName: text.slice(0, colon), id: text.slice(colon + 1) };
  // Also rejects base64 that is not canonical: other padding, stray bits, bytes that are not UTF-8.
  return encodeCursor(target.typeName, target.id) === cursor ? target : undefined;
}

const NOT_ASCII = /[\u0080-\uffff]/;

/** The UTF-8 bytes of a text, each as one character, which is what `btoa` accepts. */
function toByteString(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

function decodeText(cursor: string): string | undefined {
  try {
    const bytes = atob(cursor);
    if (!NOT_ASCII.test(bytes)) return bytes;
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
