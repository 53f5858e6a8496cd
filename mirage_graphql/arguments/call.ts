import {
  getArgumentValues,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLResolveInfo,
  Kind,
  type ValueNode,
} from "graphql";
import { hasDefault, variableNamed } from "../shared/graphql_versions.ts";

/** The four arguments of a field resolver. */
export interface ResolverCall {
  readonly source: unknown;
  readonly args: Readonly<Record<string, unknown>>;
  /** The arguments without those that a default of the schema has set; only in planned calls. */
  readonly givenArgs?: Readonly<Record<string, unknown>>;
  readonly context: unknown;
  /** What graphql-js says about the field; reading it in a planned call throws. */
  readonly info: GraphQLResolveInfo;
  /**
   * Whether a plan makes the call. graphql-js may repeat it, so it must not run user-defined code
   * or wait for anything: it throws `NeedsGraphQLJs` before.
   */
  readonly isPlanned?: boolean;
}

/** Resolves one field for one parent. */
export type Resolve = (call: ResolverCall) => unknown;

/**
 * Ends the execution of a plan when only graphql-js can continue, for example with an error, or
 * with user-defined code that must run once.
 */
export class NeedsGraphQLJs extends Error {}

type Args = ResolverCall["args"];

/** Removes the arguments that only a default of the schema has set. */
export type GivenArguments = (call: ResolverCall) => Args;

/**
 * Plans how to separate the arguments that a request gives from those that the schema's defaults
 * set. An argument that user-defined code has changed counts as given.
 */
export function createGivenArguments(field: GraphQLField<unknown, unknown>): GivenArguments {
  const defaults = field.args.filter(hasDefault);
  if (defaults.length === 0) return ({ args }) => args;
  return (call) => {
    if (call.givenArgs !== undefined) return call.givenArgs;
    const isDefault = (argument: GraphQLArgument) =>
      !isGivenBy(call.info, argument.name) &&
      isSame(call.args[argument.name], defaultOf(field, argument));
    return without(call.args, defaults.filter(isDefault));
  };
}

/** The arguments without some of them. */
export function without(args: Args, left: readonly GraphQLArgument[]): Args {
  if (left.length === 0) return args;
  const names = new Set(left.map(({ name }) => name));
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.has(name)));
}

/** Whether an argument in a document has a value: a variable may have none. */
export function hasValue(value: ValueNode, variables: unknown): boolean {
  return value.kind !== Kind.VARIABLE || variableNamed(variables, value.name.value) !== undefined;
}

function isGivenBy({ fieldNodes, variableValues }: GraphQLResolveInfo, name: string): boolean {
  const node = fieldNodes[0]?.arguments?.find((argument) => argument.name.value === name);
  return node !== undefined && hasValue(node.value, variableValues);
}

/** The value that graphql-js sets if a document has nothing for the argument. */
function defaultOf(field: GraphQLField<unknown, unknown>, argument: GraphQLArgument): unknown {
  const alone: typeof field = Object.create(field, { args: { value: [argument] } });
  const node = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: field.name } } as const;
  return getArgumentValues(alone, node)[argument.name];
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
