import {
  getNullableType,
  type GraphQLArgument,
  type GraphQLInputObjectType,
  isInputObjectType,
} from "graphql";
import { isIdType } from "./id_type.ts";

/** What a mutation does, and the names of the arguments that say to what. */
export type MutationKind =
  | { readonly action: "create"; readonly input: InputArgument }
  | { readonly action: "update"; readonly idName: string; readonly input: InputArgument }
  | { readonly action: "delete"; readonly idName: string };

/** An argument that takes an input object. */
export interface InputArgument {
  readonly name: string;
  readonly type: GraphQLInputObjectType;
}

/**
 * Recognises a mutation by its arguments in the schema, whatever their names: one input object
 * creates, one `ID` and one input object update, one `ID` deletes; `undefined` for all else.
 */
export function mutationKind(args: readonly GraphQLArgument[]): MutationKind | undefined {
  const inputs = args.flatMap(toInputArgument);
  const ids = args.filter(({ type }) => isIdType(type));
  if (inputs.length + ids.length !== args.length || inputs.length > 1 || ids.length > 1) {
    return undefined;
  }
  const [[input], idName] = [inputs, ids[0]?.name];
  if (idName === undefined) return input && { action: "create", input };
  return input ? { action: "update", idName, input } : { action: "delete", idName };
}

function toInputArgument({ name, type }: GraphQLArgument): InputArgument[] {
  const nullable = getNullableType(type);
  return isInputObjectType(nullable) ? [{ name, type: nullable }] : [];
}
