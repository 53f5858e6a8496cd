import { isJsonObject, type JsonObject, type JsonValue } from "../shared/json.ts";

/** Whether a schema describes a tool's input or its output. */
export type SchemaView = "input" | "output";

/** JSON Schema that clients assume if a schema names none (MCP specification, "JSON Schema"). */
const DEFAULT_DIALECT = "https://json-schema.org/draft/2020-12/schema";

/**
 * Keywords that contain a schema, a list of schemas, and schemas by name (JSON Schema Core, 10).
 */
const HOLDS_ONE = new Set(["items", "additionalProperties", "contains", "not"]);
const HOLDS_LIST = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const HOLDS_MAP = new Set(["properties", "$defs"]);

/** Keywords that apply to a schema as a whole, whatever the type. */
const ANNOTATIONS = new Set(["title", "description", "default", "examples", "deprecated"]);

/**
 * Rewrites the JSON Schema that zod generates from a shape so that every model provider accepts it,
 * in few bytes, because each client sends it to its model:
 *
 * - several types are in `anyOf`, not in one `type`;
 * - `propertyNames` is left to the check of a call: Gemini rejects a whole list of tools because of
 *   it;
 * - the dialect and the bounds of all JSON integers are implied;
 * - an output may have more keys than it names, so that clients that check it accept those of a
 *   later version; an object without named keys says so, because generators of types would call it
 *   empty.
 */
export function toPortableSchema(schema: JsonObject, view: SchemaView): JsonObject {
  const { type, ...rest } = Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !isImplied(key, value))
      .map(([key, value]) => [key, rewrite(key, value, view)]),
  );
  if (Array.isArray(type)) return withTypesApart(type, rest);
  const written = { ...(type === undefined ? {} : { type }), ...rest };
  return view === "output" && type === "object" ? openObject(written) : written;
}

/** Integers that every JSON implementation represents exactly (RFC 8259, section 6). */
function isImplied(key: string, value: unknown): boolean {
  return (key === "$schema" && value === DEFAULT_DIALECT) ||
    (key === "minimum" && value === Number.MIN_SAFE_INTEGER) ||
    (key === "maximum" && value === Number.MAX_SAFE_INTEGER) ||
    key === "propertyNames";
}

function rewrite(key: string, value: JsonValue | undefined, view: SchemaView) {
  const inner = (part: JsonValue | undefined) =>
    isJsonObject(part) ? toPortableSchema(part, view) : part;
  if (HOLDS_LIST.has(key) && Array.isArray(value)) return value.map((part) => inner(part) ?? null);
  if (HOLDS_MAP.has(key) && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inner(part)]));
  }
  return HOLDS_ONE.has(key) ? inner(value) : value;
}

function withTypesApart(types: readonly JsonValue[], rest: JsonObject): JsonObject {
  const isAbout = ([key]: [string, unknown]) => ANNOTATIONS.has(key);
  const about = Object.fromEntries(Object.entries(rest).filter(isAbout));
  const checks = Object.fromEntries(Object.entries(rest).filter((entry) => !isAbout(entry)));
  const options = types.map((type) => type === "null" ? { type } : { type, ...checks });
  return { anyOf: options, ...about };
}

function openObject({ additionalProperties, properties, ...rest }: JsonObject): JsonObject {
  if (isJsonObject(additionalProperties) && Object.keys(additionalProperties).length > 0) {
    return { ...rest, ...(properties === undefined ? {} : { properties }), additionalProperties };
  }
  const named = isJsonObject(properties) && Object.keys(properties).length > 0;
  return named ? { ...rest, properties } : { ...rest, additionalProperties: true };
}
