import type { GraphQLFieldMap, GraphQLObjectType } from "graphql";
import { checkValue } from "./check_value.ts";
import { fault, type Found, unknownName } from "./found.ts";

/** Reads one attribute of a record, which must be a field of its type and fit it. */
export function readAttribute(type: GraphQLObjectType, name: string, found: Found): unknown {
  const { value, place } = found;
  if (name === "id") {
    if (typeof value === "string" || typeof value === "number") return String(value);
    throw fault(place, "an id is a text or a number");
  }
  const fields: GraphQLFieldMap<unknown, unknown> = type.getFields();
  const field = fields[name];
  if (field === undefined) {
    const known = Object.keys(fields);
    throw unknownName({ value: name, place }, `${type.name} has no field`, known);
  }
  checkValue(field.type, { value, place });
  return value;
}
