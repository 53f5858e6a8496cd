import {
  getNamedType,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  specifiedScalarTypes,
  type TypeNode,
} from "graphql";
import { type CoercedVariables, coerceVariables } from "../../shared/graphql_versions.ts";
import { isPlainObject } from "../../shared/values.ts";
import { NeedsGraphQLJs } from "../../arguments/call.ts";

const NO_VARIABLES: CoercedVariables = Object.freeze({ values: undefined, byName: {} });

/**
 * Coerces the variables of a request.
 *
 * @throws {NeedsGraphQLJs} If they don't fit the operation, or can be read only once.
 */
export function readVariables(
  graphQLSchema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>> | null | undefined,
): CoercedVariables {
  if (variableDefinitions.length === 0) return NO_VARIABLES;
  if (!Object.values(given ?? {}).every(isPlannableValue)) throw new NeedsGraphQLJs();
  const coerced = coerceVariables(graphQLSchema, variableDefinitions, given ?? {});
  if (coerced === undefined) throw new NeedsGraphQLJs();
  return coerced;
}

/**
 * Whether graphql-js reads values of an input type without user-defined code, which user-defined
 * scalars have, even one named `ID`, and so do input objects that contain such a scalar.
 */
export function isPlannableInput(type: GraphQLNamedType | undefined): boolean {
  if (!isInputObjectType(type)) return isPlannableLeaf(type);
  const known = plannableInputs.get(type) ?? [...inputTypes(type)].every(isPlannableLeaf);
  plannableInputs.set(type, known);
  return known;
}

const plannableInputs = new WeakMap<GraphQLInputObjectType, boolean>();

function isPlannableLeaf(type: GraphQLNamedType | undefined): boolean {
  return isEnumType(type) || specifiedScalarTypes.some((scalar) => scalar === type);
}

/** The leaf types in an input object and in those that it contains. */
function inputTypes(type: GraphQLInputObjectType): ReadonlySet<GraphQLNamedType> {
  const objects = new Set([type]);
  const leaves = new Set<GraphQLNamedType>();
  for (const object of objects) {
    for (const field of Object.values(object.getFields())) {
      const named = getNamedType(field.type);
      if (isInputObjectType(named)) objects.add(named);
      else leaves.add(named);
    }
  }
  return leaves;
}

/** Whether all variables of an operation have such types. */
export function hasPlannableVariables(
  graphQLSchema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): boolean {
  return variableDefinitions.every(({ type }) =>
    isPlannableInput(graphQLSchema.getType(nameOf(type)))
  );
}

function nameOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type);
}

/** Whether a value can be read twice; an iterator can't. */
function isPlannableValue(value: unknown): boolean {
  return Array.isArray(value)
    ? value.every(isPlannableValue)
    : typeof value !== "object" || value === null ||
      isPlainObject(value) && Object.values(value).every(isPlannableValue);
}
