import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  type OperationDefinitionNode,
  type TypeNode,
} from "graphql";

/**
 * Tells input types whose values graphql-js reads without code of the host's, which the scalars of
 * the host's bring with them. Input objects may hold such a scalar.
 */
export function isRepeatableInput(type: GraphQLNamedType | undefined): boolean {
  return isEnumType(type) || isScalarType(type) && isSpecifiedScalarType(type);
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
