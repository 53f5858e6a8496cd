import {
  getNamedType,
  type GraphQLNamedType,
  isCompositeType,
  isRequiredArgument,
  isUnionType,
} from "graphql";

/** Selects all fields of a type, and those of the types they lead to, as deep as that. */
export function selectionOf(type: GraphQLNamedType, depth: number): string {
  if (!isCompositeType(type)) return "";
  const fields = isUnionType(type) || depth === 0 ? [] : Object.values(type.getFields())
    .filter(({ args }) => !args.some(isRequiredArgument))
    .map((field) => `${field.name}${selectionOf(getNamedType(field.type), depth - 1)}`);
  return ` { ${["__typename", ...fields].join(" ")} }`;
}
