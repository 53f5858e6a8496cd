/** Any value that JSON can carry. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object; a tool's output and a JSON Schema have this shape. */
export interface JsonObject {
  /** The value of a key. */
  [key: string]: JsonValue | undefined;
}

/** Whether a value is a JSON object, and not an array, `null` or anything else. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
