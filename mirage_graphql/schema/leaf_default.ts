import { type GraphQLLeafType, isEnumType } from "graphql";

/**
 * The value of a non-null field of a leaf type that has none: zero, `false` (`true` for a name such
 * as `success`), a date, the first value of an enum, an empty object for a scalar such as `Map`, or a
 * text with the field's name. The same each time; `undefined` for an enum without values.
 */
export function leafDefault(type: GraphQLLeafType, fieldName: string): unknown {
  if (isEnumType(type)) return type.getValues()[0]?.value;
  if (type.name === "Boolean") return /^(ok|success)/i.test(fieldName);
  if (/int|float|decimal|number|long|double/i.test(type.name)) return 0;
  if (/date|time/i.test(type.name)) return "2026-01-01T00:00:00.000Z";
  return isObjectScalar(type.name) ? {} : fieldName;
}

/** Whether the values of a scalar are objects, by its name: `Map`, `JSONObject`, `UIConfig`. */
export function isObjectScalar(name: string): boolean {
  return /(map|object|json|jsonb|config|configuration|dictionary|record|keyvalues?)$/i.test(name);
}
