import {
  getVariableValues,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import { NeedsGraphQLJs } from "../resolvers/needs_graphql_js.ts";
import { isRepeatableValue } from "./input_types.ts";
import type { Variables } from "./query_run.ts";

/** The variables of one request. */
export interface RequestVariables {
  /** As graphql-js's functions take them. */
  readonly values: Variables;
  /** By name. */
  readonly byName: Readonly<Record<string, unknown>>;
}

type Values = NonNullable<Variables>;
type ByName = RequestVariables["byName"];

/** graphql 17 has the values by name within `variableValues`, graphql 16 as `coerced`. */
interface CoercedVariables {
  readonly errors?: readonly GraphQLError[] | undefined;
  readonly variableValues?: Values & { readonly coerced: ByName };
  readonly coerced?: Values & ByName;
}

const NO_VARIABLES: RequestVariables = Object.freeze({ values: undefined, byName: {} });

/**
 * Coerces the variables that were sent.
 *
 * @throws {NeedsGraphQLJs} Where they don't fit the operation, or can be read but once.
 */
export function coerceVariables(
  graphQLSchema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>> | null | undefined,
): RequestVariables {
  if (variableDefinitions.length === 0) return NO_VARIABLES;
  if (!Object.values(given ?? {}).every(isRepeatableValue)) throw new NeedsGraphQLJs();
  const { errors, variableValues, coerced }: CoercedVariables = getVariableValues(
    graphQLSchema,
    variableDefinitions,
    given ?? {},
  );
  if (errors !== undefined) throw new NeedsGraphQLJs();
  return {
    values: variableValues ?? coerced,
    byName: variableValues?.coerced ?? coerced ?? {},
  };
}
