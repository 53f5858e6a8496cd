import {
  type GraphQLOutputType,
  isEnumType,
  isListType,
  isNonNullType,
  isScalarType,
} from "graphql";

/** Says why a value is none of the type's; `undefined` where it is, or where objects are asked for. */
export function leafFault(type: GraphQLOutputType, value: unknown): string | undefined {
  if (isNonNullType(type)) {
    return value === null ? `it is ${type}, not null` : leafFault(type.ofType, value);
  }
  if (value === null) return undefined;
  if (isListType(type)) {
    if (!Array.isArray(value)) return `it is ${type}, a list`;
    return value.map((one) => leafFault(type.ofType, one)).find((fault) => fault !== undefined);
  }
  if (isEnumType(type)) {
    const names = type.getValues().map(({ name }) => name);
    return names.some((name) => name === value)
      ? undefined
      : `it is ${type}, one of ${names.join(", ")}`;
  }
  if (!isScalarType(type)) return undefined;
  return fits(type.name, value) ? undefined : `it is ${type}, not ${JSON.stringify(value)}`;
}

/** The scalars that GraphQL has itself; what others take is not known here. */
function fits(scalarName: string, value: unknown): boolean {
  switch (scalarName) {
    case "String":
      return typeof value === "string";
    case "ID":
      return typeof value === "string" || Number.isInteger(value);
    case "Boolean":
      return typeof value === "boolean";
    case "Int":
      return Number.isInteger(value) && Math.abs(Number(value)) <= 2 ** 31;
    case "Float":
      return typeof value === "number";
    default:
      return true;
  }
}
