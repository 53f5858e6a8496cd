/** Any value that JSON can carry. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object; a tool's output and a JSON Schema have this shape. */
export interface JsonObject {
  /** The value of a key. */
  [key: string]: JsonValue | undefined;
}

/** Tells a JSON object from every other value, arrays and `null` included. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
