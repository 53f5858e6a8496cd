/**
 * What differs between graphql 16 and graphql 17.
 *
 * @module
 */

import {
  type ASTVisitor,
  type ExecutionArgs,
  type getDirectiveValues,
  getVariableValues,
  type GraphQLError,
  type GraphQLLeafType,
  type ValidationContext,
} from "graphql";
import { isObject } from "./values.ts";

/** Values of variables, as graphql-js's functions expect them. */
export type VariableValues = Parameters<typeof getDirectiveValues>[2];

type ByName = Readonly<Record<string, unknown>>;

/** Coerced variables in the form that graphql-js's functions expect, and by name. */
export interface CoercedVariables {
  readonly values: VariableValues;
  readonly byName: ByName;
}

/** graphql 17 has the values in `variableValues`, graphql 16 in `coerced`. */
interface CoercionResult {
  readonly errors?: readonly GraphQLError[] | undefined;
  readonly variableValues?: NonNullable<VariableValues> & { readonly coerced: ByName };
  readonly coerced?: NonNullable<VariableValues> & ByName;
}

/** Coerces the variables of a request; `undefined` if they don't fit the operation. */
export function coerceVariables(
  ...args: Parameters<typeof getVariableValues>
): CoercedVariables | undefined {
  const { errors, variableValues, coerced }: CoercionResult = getVariableValues(...args);
  if (errors !== undefined) return undefined;
  return {
    values: variableValues ?? coerced,
    byName: variableValues?.coerced ?? coerced ?? {},
  };
}

/** graphql 17 takes coerced values with their sources, graphql 16 only the values. */
export function toVariableValues(variables: ByName): VariableValues {
  return { ...variables, coerced: variables, sources: {} };
}

/** The value of a variable: graphql 17 has the values in `coerced`, graphql 16 in the object itself. */
export function variableNamed(variables: unknown, name: string): unknown {
  const values = isObject(variables) && "sources" in variables && isObject(variables.coerced)
    ? variables.coerced
    : variables;
  return isObject(values) ? values[name] : undefined;
}

/** An input: graphql 17 keeps a default of the schema language in `default`, graphql 16 in `defaultValue`. */
export interface InputDefault {
  readonly defaultValue?: unknown;
  readonly default?: unknown;
}

/** Whether an argument or a field of an input has a default in the schema. */
export function hasDefault(input: InputDefault): boolean {
  return input.defaultValue !== undefined || input.default !== undefined;
}

interface CoercingType {
  coerceOutputValue?(value: unknown): unknown;
  serialize?(value: unknown): unknown;
}

/** The method of a leaf type that coerces a resolved value: the versions have two names for it. */
export function outputCoercionOf(
  type: GraphQLLeafType,
): ((value: unknown) => unknown) | undefined {
  const { coerceOutputValue, serialize }: CoercingType = type;
  return coerceOutputValue ?? serialize;
}

/** Lets an execution end early: graphql 17 does when the signal aborts, graphql 16 ignores it. */
export function withSignal(args: ExecutionArgs, signal: AbortSignal): ExecutionArgs {
  // a spread, because the type of graphql 16 does not have it
  return { ...args, ...{ abortSignal: signal } };
}

/** Rules for documents that define a schema; the types of their contexts differ. */
export function definitionRules(rules: readonly ((context: never) => ASTVisitor)[]) {
  return rules.map((rule) => (context: ValidationContext) =>
    Reflect.apply(rule, undefined, [context])
  );
}
