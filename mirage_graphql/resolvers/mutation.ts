import type { GraphQLField } from "graphql";
import type { WriteContext } from "../orm/writes/write_context.ts";
import type { CommonPerform, WriteRules } from "./convention_rules.ts";
import { identifiedPaths, type InputSubject, noCreation, valuesPath } from "./mutation_input.ts";
import { type MutationKind, mutationKind } from "./mutation_kind.ts";
import { mentionedModels, type MutationVerb, mutationVerb } from "./mutation_name.ts";
import { type MutationTarget, mutationTarget, namedTarget } from "./mutation_target.ts";
import { type AnyResult, type MutationPlan, performMutation } from "./perform_mutation.ts";
import type { ResolverCall } from "./resolver_call.ts";

/** Performs one mutation with the arguments of one call. */
export type MutationResolver = (
  args: Readonly<Record<string, unknown>>,
  call?: ResolverCall,
) => AnyResult;

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
  /** The rules of widespread APIs; none by default. */
  readonly rules?: WriteRules | undefined;
}

/**
 * Plans a field of the mutation type by its name, its arguments and its return type, at the first
 * call, because large schemas have hundreds of mutations. A mutation that matches no rule gets a
 * resolver that throws, and changes nothing.
 */
export function createMutationResolver(
  field: GraphQLField<unknown, unknown>,
  context: WriteContext,
  options: MutationOptions = {},
): MutationResolver {
  const { isExplicit = false, parentName = "Mutation", rules } = options;
  const plan: Planning = { field, context, isExplicit, parentName, rules };
  let planned: MutationPlan | CommonPerform | Error | undefined;
  return (args, call) => {
    planned ??= planFirst(plan);
    if (typeof planned === "function") return planned(args, call);
    if (!(planned instanceof Error)) return performMutation(planned, args);
    const given = field.args.filter(({ name }) => Object.hasOwn(args, name));
    const again = isExplicit ? planMutation(plan, given) : planned;
    if (again instanceof Error) throw again;
    return performMutation(again, args);
  };
}

interface Planning extends Required<Omit<MutationOptions, "rules">> {
  readonly rules: WriteRules | undefined;
  readonly field: GraphQLField<unknown, unknown>;
  readonly context: WriteContext;
}

/** What a mutation without a resolver does comes first, so that a resolver can build on it. */
function planFirst(planning: Planning): MutationPlan | CommonPerform | Error {
  const planned = planByConventions({ ...planning, isExplicit: false });
  return planned instanceof Error && planning.isExplicit ? planByConventions(planning) : planned;
}

/** Rules of widespread APIs may interpret a mutation differently, or more of its payload. */
function planByConventions(planning: Planning): MutationPlan | CommonPerform | Error {
  const { field, rules, isExplicit } = planning;
  const planned = planMutation(planning, field.args);
  return rules?.createCommonMutation({
    field,
    verb: verbOf(planning),
    isExplicit,
    planned: planned instanceof Error ? undefined : planned,
    planUpdate: () => planMutation(planning, field.args, "update"),
    refuse: (reason) => noDefaultResolver(planning, { reason }),
  }) ?? planned;
}

function planMutation(
  planning: Planning,
  args: GraphQLField<unknown, unknown>["args"],
  verb = verbOf(planning),
): MutationPlan | Error {
  const { field, context, isExplicit } = planning;
  const kind = mutationKind(args, verb);
  if ("reason" in kind) return noDefaultResolver(planning, kind);
  const target = mutationTarget(field, kind, context);
  if (!("reason" in target)) return planWrite(planning, { kind, target, verb });

  const named = namedTarget(field, context);
  if (isExplicit && named) return planWrite(planning, { kind, target: named, verb });
  const { reason } = target;
  const hint = named && `in which mockGraphQLFieldResolver(obj, args, context, info) will ` +
      `${kind.action} the ${named.models[0]?.typeName} and return it`;
  return noDefaultResolver(planning, { reason, hint });
}

/** Closing a record updates it, if a user-defined resolver calls for it. */
function verbOf({ field, context, isExplicit }: Planning): MutationVerb | undefined {
  const verb = mutationVerb(field.name, context.models.models);
  return verb === "close" && isExplicit ? "update" : verb;
}

interface Mutation {
  readonly kind: MutationKind;
  readonly target: MutationTarget;
  readonly verb: MutationVerb | undefined;
}

/** Determines where the id and the values are in the arguments. */
function planWrite(planning: Planning, mutation: Mutation): MutationPlan | Error {
  const { kind: { action, idName, input }, target, verb } = mutation;
  const { context, context: { graphQLSchema } } = planning;
  const refuse = (reason: string) => noDefaultResolver(planning, { reason });
  const plan: MutationPlan = {
    action,
    target,
    context,
    refuse,
    id: idName === undefined ? undefined : [idName],
    clientMutationId: input && [input.name, "clientMutationId"],
  };
  if (input === undefined) return plan;
  const subjects = target.models.map((model): InputSubject => {
    return { path: [input.name], type: input.type, model, graphQLSchema };
  });
  const [subject] = subjects;
  if (subject === undefined) return plan;
  if (action === "create") {
    const reason = noCreation(subject, verb === "create");
    return reason === undefined ? { ...plan, values: valuesPath(subject) } : refuse(reason);
  }
  if (idName !== undefined) {
    return action === "delete" ? plan : { ...plan, values: valuesPath(subject) };
  }
  return identify(planning, mutation, { plan, subjects });
}

/** Finds the id of the record in the input. */
function identify(
  { field, context }: Planning,
  { kind: { action, input }, target }: Mutation,
  { plan, subjects }: { readonly plan: MutationPlan; readonly subjects: readonly InputSubject[] },
): MutationPlan | Error {
  const found = subjects.map((subject) => ({ subject, paths: identifiedPaths(subject) }))
    .find(({ paths }) => paths.id !== undefined);
  const names = target.models.map(({ typeName }) => typeName).join(" or ");
  if (found === undefined) {
    return plan.refuse(`needs the id of the ${names} to ${action}, and ${input?.type} has none`);
  }
  const { subject: { model }, paths: { id, values, extras: [extra] } } = found;
  const models = id?.at(-1) === "id" ? target.models : [model];
  if (action === "delete") return { ...plan, id, target: { ...target, models } };
  // `updatePostSetting(input: { postId: 1, value: true })` changes more than it names.
  const isPartial = !target.isNamed &&
    mentionedModels(field.name, context.models.models).length > 0;
  if (isPartial && extra !== undefined) {
    return plan.refuse(`changes a part of the ${names}, which has no "${extra}"`);
  }
  return { ...plan, id, values, target: { ...target, models } };
}

/** Explains why a mutation is not resolved by default, and which function to write. */
function noDefaultResolver(
  { field, parentName }: Planning,
  why: { readonly reason: string; readonly hint?: string },
): Error {
  const { reason, hint } = why;
  const code = `resolvers: { ${parentName}: { ${field.name}(obj, args, context, info) { ... } } }`;
  return new Error(
    // deno-lint-ignore trestle/error-message -- begins with the peer's words
    `Could not find a default resolver for ${field.name}. ` +
      `Please supply a resolver for this mutation. It ${reason}. ` +
      `Write ${code}${hint === undefined ? "" : `, ${hint}`}`,
  );
}
