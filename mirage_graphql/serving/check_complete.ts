import { getNamedType, type GraphQLObjectType, isLeafType, isNonNullType } from "graphql";
import type { MockModel } from "../orm/models/model_map.ts";
import { fault } from "./found.ts";

/** What must not be null has to be there, unless it is a relation that another record may make. */
export function checkComplete(
  type: GraphQLObjectType,
  { getters }: Pick<MockModel, "getters">,
  { value, place }: { readonly value: Readonly<Record<string, unknown>>; readonly place: string },
): void {
  for (const { name, type: fieldType, args } of Object.values(type.getFields())) {
    if (name === "id" || value[name] !== undefined || args.length > 0) continue;
    if (!isNonNullType(fieldType) || getters.has(name)) continue;
    if (!isLeafType(getNamedType(fieldType))) continue;
    throw fault(place, `"${name}" is missing, which is ${fieldType} in ${type.name}`);
  }
}
