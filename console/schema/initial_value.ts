import type { JsonObject, JsonValue } from "@trestle/mcp-server";
import { type Field, fieldOf, isObject, resolve, type Schema } from "./field.ts";

/** How deep a value is filled in: a schema may contain itself. */
const DEEPEST = 8;

/** The value that a form starts with: the parts that are required and have only one beginning. */
export function initialArguments(root: Schema): JsonObject {
  const value = initialValue(root, root);
  return isObject(value) ? value : {};
}

/**
 * The value of a required property before anyone has entered it; `undefined` if there is nothing to
 * start with.
 */
export function initialValue(schema: Schema, root: Schema, depth = 0): JsonValue | undefined {
  const resolved = resolve(schema, root);
  const field = fieldOf(resolved);
  if (depth > DEEPEST) return undefined;
  switch (field.kind) {
    case "constant":
      return field.value;
    case "boolean":
      return resolved.default === true;
    case "list": {
      const item = () => initialItem(field.item, root, depth + 1);
      return Array.from({ length: Math.min(field.min, 10) }, item);
    }
    case "map":
      return {};
    case "object":
      return Object.fromEntries(
        field.properties.filter(({ required }) => required).flatMap(({ name, schema }) => {
          const value = initialValue(schema, root, depth + 1);
          return value === undefined ? [] : [[name, value]];
        }),
      );
    default:
      return undefined;
  }
}

/** The value of a new item of a list, which can't be absent. */
export function initialItem(schema: Schema, root: Schema, depth = 0): JsonValue {
  const value = initialValue(schema, root, depth);
  if (value !== undefined) return value;
  const resolved = resolve(schema, root);
  const field = fieldOf(resolved);
  switch (field.kind) {
    case "text":
      return "";
    case "number":
      return field.min ?? 0;
    case "choice":
      return field.values[0] ?? null;
    case "variants":
      return depth > DEEPEST ? null : initialItem(field.variants[0] ?? {}, root, depth + 1);
    default:
      return null;
  }
}

/** Whether a value can be edited as a field: its type is the right one, whatever is in it. */
export function fits(value: JsonValue | undefined, field: Field): boolean {
  if (value === undefined) return true;
  switch (field.kind) {
    case "text":
      return typeof value === "string";
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "constant":
      return isSame(value, field.value);
    case "choice":
      return field.values.some((one) => isSame(one, value));
    case "list":
      return Array.isArray(value);
    case "object":
    case "map":
      return isObject(value);
    default:
      return true;
  }
}

/** Whether two values are the same JSON. */
export function isSame(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** The variant to edit a value with: the first whose constants and required keys it has. */
export function variantOf(
  value: JsonValue | undefined,
  variants: readonly Schema[],
  root: Schema,
): number {
  if (value === undefined) return -1;
  return variants.findIndex((variant) => {
    const field = fieldOf(resolve(variant, root));
    if (!fits(value, field)) return false;
    if (field.kind !== "object" || !isObject(value)) return true;
    return field.properties.every(({ name, schema, required }) => {
      const constant = fieldOf(resolve(schema, root));
      if (constant.kind !== "constant") return true;
      return value[name] === undefined ? !required : fits(value[name], constant);
    });
  });
}

/** A name for one of several schemas. */
export function variantLabel(variant: Schema, root: Schema): string {
  const { title, type, ...schema } = resolve(variant, root);
  if (typeof title === "string") return title;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const constants = Object.values(isObject(schema.properties) ? schema.properties : {})
    .flatMap((property) => isObject(property) && property.const !== undefined ? [property] : []);
  if (constants.length > 0) return constants.map((one) => JSON.stringify(one.const)).join(", ");
  return typeof type === "string" ? type : "JSON";
}
