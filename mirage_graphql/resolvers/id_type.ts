import { getNullableType, type GraphQLInputType, type GraphQLOutputType } from "graphql";

/** Tells `ID` and `ID!`; by name, for schemas that carry an `ID` scalar of their own. */
export function isIdType(type: GraphQLInputType | GraphQLOutputType): boolean {
  return String(getNullableType(type)) === "ID";
}
