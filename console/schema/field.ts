import type { JsonObject, JsonValue } from "@trestle/mcp-server";

/** A JSON Schema, or a part of one. */
export type Schema = JsonObject;

/** How a value is edited, as its schema says. */
export type Field =
  | { readonly kind: "text"; readonly secret: boolean; readonly pattern?: string }
  | {
    readonly kind: "number";
    readonly integer: boolean;
    readonly min?: number;
    readonly max?: number;
  }
  | { readonly kind: "boolean" }
  | { readonly kind: "constant"; readonly value: JsonValue }
  | { readonly kind: "choice"; readonly values: readonly JsonValue[] }
  | { readonly kind: "list"; readonly item: Schema; readonly min: number; readonly max: number }
  | { readonly kind: "object"; readonly properties: readonly Property[] }
  | { readonly kind: "map"; readonly value: Schema }
  | { readonly kind: "variants"; readonly variants: readonly Schema[] }
  | { readonly kind: "json" };

/** A property of an object. */
export interface Property {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
}

/** Whether a value is a JSON object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A schema that allows everything. */
const ANYTHING: Schema = Object.freeze({});
const MOST_REFERENCES = 20;

/** Follows local references, and joins the parts of `allOf`. */
export function resolve(schema: Schema, root: Schema): Schema {
  let resolved = schema;
  for (let count = 0; typeof resolved.$ref === "string" && count < MOST_REFERENCES; count++) {
    const { $ref, ...rest } = resolved;
    resolved = { ...follow($ref, root), ...rest };
  }
  const { allOf, ...rest } = resolved;
  if (!Array.isArray(allOf)) return resolved;
  return allOf.map(toSchema).reduce((all, part) => join(all, resolve(part, root)), rest);
}

function follow(reference: JsonValue, root: Schema): Schema {
  if (typeof reference !== "string" || !reference.startsWith("#")) return ANYTHING;
  const keys = reference.slice(1).split("/").slice(1)
    .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"));
  const found = keys.reduce<JsonValue | undefined>(
    (part, key) => isObject(part) && Object.hasOwn(part, key) ? part[key] : undefined,
    root,
  );
  return toSchema(found);
}

function join(left: Schema, right: Schema): Schema {
  return {
    ...left,
    ...right,
    properties: { ...toSchema(left.properties), ...toSchema(right.properties) },
    required: [...strings(left.required), ...strings(right.required)],
  };
}

function toSchema(value: JsonValue | undefined): Schema {
  return isObject(value) ? value : ANYTHING;
}

function strings(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

/** How a value of a schema, which is resolved, is edited. */
export function fieldOf(schema: Schema): Field {
  if (schema.const !== undefined) return { kind: "constant", value: schema.const };
  if (Array.isArray(schema.enum)) return { kind: "choice", values: schema.enum };
  const variants = variantsOf(schema);
  if (variants !== undefined) return { kind: "variants", variants };
  switch (schema.type) {
    case "string":
      return textField(schema);
    case "integer":
    case "number":
      return numberField(schema);
    case "boolean":
      return { kind: "boolean" };
    case "null":
      return { kind: "constant", value: null };
    case "array":
      return listField(schema);
    case "object":
      return objectField(schema);
    default:
      return isObject(schema.properties) ? objectField(schema) : { kind: "json" };
  }
}

function variantsOf(schema: Schema): Schema[] | undefined {
  const { oneOf, anyOf, type, ...rest } = schema;
  const either = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : undefined;
  if (either !== undefined) return either.map(toSchema);
  return Array.isArray(type) ? type.map((one) => ({ ...rest, type: one })) : undefined;
}

function textField({ format, writeOnly, pattern }: Schema): Field {
  const secret = format === "password" || writeOnly === true;
  return { kind: "text", secret, ...(typeof pattern === "string" ? { pattern } : {}) };
}

function numberField({ type, minimum, maximum }: Schema): Field {
  return {
    kind: "number",
    integer: type === "integer",
    ...(typeof minimum === "number" ? { min: minimum } : {}),
    ...(typeof maximum === "number" ? { max: maximum } : {}),
  };
}

function listField({ items, minItems, maxItems }: Schema): Field {
  return {
    kind: "list",
    item: toSchema(items),
    min: typeof minItems === "number" ? minItems : 0,
    max: typeof maxItems === "number" ? maxItems : Infinity,
  };
}

function objectField(schema: Schema): Field {
  const properties = Object.entries(toSchema(schema.properties));
  if (properties.length === 0) {
    const { additionalProperties: value } = schema;
    if (isObject(value) && Object.keys(value).length > 0) return { kind: "map", value };
    return value === false ? { kind: "object", properties: [] } : { kind: "json" };
  }
  const required = new Set(strings(schema.required));
  return {
    kind: "object",
    properties: properties.map(([name, value]) => ({
      name,
      schema: toSchema(value),
      required: required.has(name),
    })),
  };
}
