import { type GraphQLField, Kind, type ValueNode } from "graphql";
import { wordsOf } from "../../names.ts";
import { writeError } from "../../orm/writes/write_context.ts";
import { hasValue, type ResolverCall } from "../../arguments/call.ts";

/**
 * Rejects a `where` with a variable that has no value: graphql-js omits its field, and the rest
 * would match more than requested, possibly all records.
 */
export function checkVariables(
  { name }: GraphQLField<unknown, unknown>,
  { info }: Pick<ResolverCall, "info">,
): void {
  for (const argument of info.fieldNodes[0]?.arguments ?? []) {
    const missing = missingIn(argument.value, info.variableValues, isFinding(argument.name.value));
    if (missing === undefined) continue;
    throw writeError(
      `Cannot find the records of ${name}: the variable "${missing}" has no value, so that ` +
        "nothing would restrict them",
    );
  }
}

function isFinding(name: string): boolean {
  return wordsOf(name).some((word) => /^(where|filters?)$/.test(word));
}

/** The name of a variable without a value among the values that find records. */
function missingIn(value: ValueNode, variables: unknown, isInside: boolean): string | undefined {
  const children = value.kind === Kind.OBJECT
    ? value.fields.map((field) => [field.value, isInside || isFinding(field.name.value)] as const)
    : value.kind === Kind.LIST
    ? value.values.map((one) => [one, isInside] as const)
    : [];
  for (const [child, isFinder] of children) {
    if (isFinder && child.kind === Kind.VARIABLE && !hasValue(child, variables)) {
      return child.name.value;
    }
    const found = missingIn(child, variables, isFinder);
    if (found !== undefined) return found;
  }
  return undefined;
}
