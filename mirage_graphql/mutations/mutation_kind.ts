import {
  getNullableType,
  type GraphQLArgument,
  type GraphQLInputObjectType,
  isInputObjectType,
} from "graphql";
import { isIdType } from "../schema/types.ts";
import type { MutationVerb } from "./mutation_name.ts";

/** What a mutation does, and the arguments that it takes. */
export interface MutationKind {
  readonly action: "create" | "update" | "delete";
  /** The argument with the id; without one, a change finds the id in the input. */
  readonly idName?: string;
  readonly input?: InputArgument;
}

/** An argument that takes an input object. */
export interface InputArgument {
  readonly name: string;
  readonly type: GraphQLInputObjectType;
}

/** Why a mutation is not resolved; completes "it ...". */
export interface NoKind {
  readonly reason: string;
  /** The rule that it doesn't follow, if no conventions add others to it. */
  readonly rule?: string;
}

const RULE = "one input object creates, one ID and one input object update, and one ID deletes";

/**
 * Recognizes a mutation by its arguments in the schema, whatever their names: one input object
 * creates, one `ID` and one input object update, one `ID` deletes. A verb in its name takes
 * precedence: a name that says delete or update never creates.
 */
export function mutationKind(
  args: readonly GraphQLArgument[],
  verb: MutationVerb | undefined,
): MutationKind | NoKind {
  const inputs = args.flatMap(toInputArgument);
  const ids = args.filter(({ type }) => isIdType(type));
  const isOther = inputs.length + ids.length !== args.length || args.length === 0;
  if (isOther || inputs.length > 1 || ids.length > 1) {
    return { reason: `takes ${argumentList(args)}`, rule: RULE };
  }
  if (verb === "close") {
    return {
      reason: "is named after archiving or closing, which only a resolver can define",
    };
  }
  const [[input], idName] = [inputs, ids[0]?.name];
  if (verb === "delete") return { action: "delete", idName, input };
  if (idName === undefined) return { action: verb === "update" ? "update" : "create", input };
  if (input !== undefined) return { action: "update", idName, input };
  if (verb === "update") {
    return {
      reason: `is named after an update, and takes nothing to write but the ID "${idName}"`,
    };
  }
  return { action: "delete", idName };
}

function toInputArgument({ name, type }: GraphQLArgument): InputArgument[] {
  const nullable = getNullableType(type);
  return isInputObjectType(nullable) ? [{ name, type: nullable }] : [];
}

function argumentList(args: readonly GraphQLArgument[]): string {
  if (args.length === 0) return "no arguments";
  return `(${args.map(({ name, type }) => `${name}: ${type}`).join(", ")})`;
}
