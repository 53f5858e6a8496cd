import type { JsonValue } from "@trestle/mcp-server";

/** The value of a JSON text, `undefined` for an empty text, or what is wrong with it. */
export type ParsedJson =
  | { readonly ok: true; readonly value: JsonValue | undefined }
  | { readonly ok: false; readonly fault: string };

/** Reads a JSON text that somebody is typing. */
export function parseJson(text: string): ParsedJson {
  if (text.trim() === "") return { ok: true, value: undefined };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, fault: error instanceof Error ? error.message : String(error) };
  }
}

/** The text to edit a value with. */
export function toJsonText(value: JsonValue | undefined): string {
  return value === undefined ? "" : JSON.stringify(value, null, 2);
}
