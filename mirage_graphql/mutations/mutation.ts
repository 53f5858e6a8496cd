import type { GraphQLField } from "graphql";
import { UnresolvedField } from "../shared/unresolved_field.ts";
import type { WriteContext } from "../orm/writes/write_context.ts";
import type { NestedConventions } from "../orm/writes/nested_conventions.ts";
import { createMutationNames, type MutationNames } from "./mutation_name.ts";
import { type MutationResult, performMutation } from "./perform_mutation.ts";
import type { ResolverCall } from "../arguments/call.ts";
import { type TypedField, type TypedIntent, typedIntent } from "./typed_intent.ts";
import { isRefusal, type Refusal, type Values, type WriteIntent } from "./write_intent.ts";

type Field = GraphQLField<unknown, unknown>;

/** Performs one mutation with the arguments of one call. */
export type MutationResolver = (args: Values, call?: ResolverCall) => MutationResult;

/** The rules of the mutations of one handler. */
export interface WriteRules {
  /** What inputs may contain in addition to ids, plain values and nested objects. */
  readonly nested: NestedConventions;
  /** Reads the names of mutations. */
  readonly names: MutationNames;
  /** Determines what a mutation does; `typed` is what its types alone say. */
  interpret(field: TypedField, typed: TypedIntent | Refusal): WriteIntent | Refusal;
}

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
  /** The rules of dialects; none by default. */
  readonly rules?: WriteRules | undefined;
}

/**
 * Plans a field of the mutation type by the rules of dialects, or else by its name, its arguments
 * and its return type, at the first call, because large schemas have hundreds of mutations. A
 * mutation that matches no rule gets a resolver that throws, and changes nothing.
 */
export function createMutationResolver(
  field: Field,
  context: WriteContext,
  options: MutationOptions = {},
): MutationResolver {
  const { isExplicit = false, parentName = "Mutation", rules } = options;
  const names = rules?.names ?? createMutationNames(context.models.models);
  const throwing = ({ reason, hint, rule }: Refusal) => {
    const others = rules
      ? ", which none of the conventions that are on explains"
      : `, where ${rule}`;
    const whole = rule === undefined ? reason : `${reason}${others}`;
    return noDefaultResolver(parentName, field.name, { reason: whole, hint });
  };
  let planned: WriteIntent | Refusal | undefined;
  return (args, call) => {
    planned ??= plan();
    let intent = planned;
    if (isRefusal(intent) && isExplicit) {
      const given = field.args.filter(({ name }) => Object.hasOwn(args, name));
      intent = typedIntent(context, subjectOf(true), given);
    }
    if (!isRefusal(intent)) intent = intent.instead?.(args) ?? intent;
    if (isRefusal(intent)) throw throwing(intent);
    return performMutation(context, intent, args, call);
  };

  /** What a mutation without a resolver does comes first, so that a resolver can build on it. */
  function plan(): WriteIntent | Refusal {
    const intent = intentOf(false);
    return isRefusal(intent) && isExplicit ? intentOf(true) : intent;
  }

  function intentOf(isCalled: boolean): WriteIntent | Refusal {
    const subject = subjectOf(isCalled);
    const typed = typedIntent(context, subject);
    return rules === undefined ? typed : rules.interpret(subject, typed);
  }

  function subjectOf(isCalled: boolean): TypedField {
    const verb = names.verb(field.name);
    return {
      ...{ field, names, isExplicit: isCalled },
      // closing a record updates it, if a user-defined resolver calls for it
      verb: verb === "close" && isCalled ? "update" as const : verb,
      refuse: (reason: string) => throwing({ reason }),
    };
  }
}

/** Explains why a mutation is not resolved by default, and which function to write. */
function noDefaultResolver(parentName: string, name: string, { reason, hint }: Refusal): Error {
  const code = `resolvers: { ${parentName}: { ${name}(obj, args, context, info) { ... } } }`;
  return new UnresolvedField(
    // begins with the peer's words
    `Could not find a default resolver for ${name}. ` +
      `Please supply a resolver for this mutation. It ${reason}. ` +
      `Write ${code}${hint === undefined ? "" : `, ${hint}`}`,
    `${parentName}.${name}`,
  );
}
