import { type GraphQLFieldMap, type GraphQLObjectType, isLeafType, isNonNullType } from "graphql";
import { getNamedType } from "graphql";
import type { MockModel } from "../orm/model_map.ts";
import { fault, type Found, unknownName } from "./found.ts";
import { leafFault } from "./leaf_fault.ts";

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
  const state = leafFault(field.type, value);
  if (state !== undefined) throw fault(place, state);
  return value;
}

/** What must not be null has to be there, unless it is a relation that another record may make. */
export function checkComplete(
  type: GraphQLObjectType,
  { getters }: MockModel,
  { value, place }: { readonly value: Readonly<Record<string, unknown>>; readonly place: string },
): void {
  for (const { name, type: fieldType, args } of Object.values(type.getFields())) {
    if (name === "id" || value[name] !== undefined || args.length > 0) continue;
    if (!isNonNullType(fieldType) || getters.has(name)) continue;
    if (!isLeafType(getNamedType(fieldType))) continue;
    throw fault(place, `"${name}" is missing, which is ${fieldType} in ${type.name}`);
  }
}
