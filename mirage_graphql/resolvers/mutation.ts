import type { GraphQLField } from "graphql";
import type { WriteContext } from "../orm/writes/write_context.ts";
import {
  mutationKind,
  type MutationTarget,
  mutationTarget,
  namedTarget,
} from "./mutation_target.ts";
import { type MutationResult, performMutation } from "./perform_mutation.ts";

/** Performs one mutation with the arguments of one call. */
export type MutationResolver = (args: Readonly<Record<string, unknown>>) => MutationResult;

/** How a mutation is resolved. */
export interface MutationOptions {
  /**
   * Whether a user-defined resolver calls it, which is then responsible for the return type: if
   * that leads to no model, the field's name does (`deletePerson` deletes a `Person` and returns
   * it), and arguments that the resolver has deleted from `args` don't count.
   *
   * @default {false}
   */
  readonly isExplicit?: boolean;
  /**
   * Name of the type that has the field, for errors.
   *
   * @default {"Mutation"}
   */
  readonly parentName?: string;
}

/**
 * Plans a field of the mutation type by its arguments and its return type, once for all calls. A
 * mutation that fits no rule gets a resolver that throws, and changes nothing.
 */
export function createMutationResolver(
  field: GraphQLField<unknown, unknown>,
  context: WriteContext,
  options: MutationOptions = {},
): MutationResolver {
  const { isExplicit = false, parentName = "Mutation" } = options;
  const plan: Planning = { context, isExplicit, parentName };
  const planned = planMutation(field, field.args, plan);
  if (!(planned instanceof Error)) return planned;
  return (args) => {
    const given = field.args.filter(({ name }) => Object.hasOwn(args, name));
    const again = isExplicit ? planMutation(field, given, plan) : planned;
    if (again instanceof Error) throw again;
    return again(args);
  };
}

interface Planning extends Required<MutationOptions> {
  readonly context: WriteContext;
}

function planMutation(
  field: GraphQLField<unknown, unknown>,
  args: GraphQLField<unknown, unknown>["args"],
  plan: Planning,
): MutationResolver | Error {
  const { context, isExplicit } = plan;
  const kind = mutationKind(args);
  if (kind === undefined) {
    const reason = `takes ${argumentList(args)}, where one input object creates, ` +
      "one ID and one input object update, and one ID deletes";
    return noDefaultResolver(field, plan.parentName, { reason });
  }
  const target = mutationTarget(field, kind, context);
  const performing = (target: MutationTarget): MutationResolver => (args) =>
    performMutation({ kind, target, context }, args);
  if (!("reason" in target)) return performing(target);

  const named = namedTarget(field, context);
  if (isExplicit && named) return performing(named);
  const { reason } = target;
  const hint = named && `in which mockGraphQLFieldResolver(obj, args, context, info) will ` +
      `${kind.action} the ${named.models[0]?.typeName} and return it`;
  return noDefaultResolver(field, plan.parentName, { reason, hint });
}

function argumentList(args: GraphQLField<unknown, unknown>["args"]): string {
  if (args.length === 0) return "no arguments";
  return `(${args.map(({ name, type }) => `${name}: ${type}`).join(", ")})`;
}

/** Explains why a mutation is not resolved by default, and which function to write. */
function noDefaultResolver(
  field: GraphQLField<unknown, unknown>,
  parentName: string,
  why: { readonly reason: string; readonly hint?: string },
): Error {
  const { reason, hint } = why;
  const code = `resolvers: { ${parentName}: { ${field.name}(obj, args, context, info) { ... } } }`;
  return new Error(
    // deno-lint-ignore trestle/error-message
    `Could not find a default resolver for ${field.name}. ` +
      `Please supply a resolver for this mutation. It ${reason}. ` +
      `Write ${code}${hint === undefined ? "" : `, ${hint}`}`,
  );
}
