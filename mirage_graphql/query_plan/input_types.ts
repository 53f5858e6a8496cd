import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  Kind,
  type OperationDefinitionNode,
  specifiedScalarTypes,
  type TypeNode,
} from "graphql";

/**
 * Tells input types whose values graphql-js reads without code of the host's: scalars of the host's
 * bring some with them, be it under the name of `ID`, and input objects may hold such a scalar.
 */
export function isRepeatableInput(type: GraphQLNamedType | undefined): boolean {
  return isEnumType(type) || specifiedScalarTypes.some((scalar) => scalar === type);
}

/** Tells whether the variables of an operation are all of such types. */
export function hasRepeatableVariables(
  graphQLSchema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): boolean {
  return variableDefinitions.every(({ type }) =>
    isRepeatableInput(graphQLSchema.getType(nameOf(type)))
  );
}

function nameOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type);
}

/** Tells values of such types, which can be read twice: an iterator could not. */
export function isRepeatableValue(value: unknown): boolean {
  return Array.isArray(value)
    ? value.every(isRepeatableValue)
    : typeof value !== "object" || value === null;
}
