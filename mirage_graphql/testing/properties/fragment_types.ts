import { type GraphQLResolveInfo, isAbstractType, Kind, type SelectionNode } from "graphql";

/**
 * The members that the fragments of a field are on, in the order of the document; then those that
 * belong to an interface or union which a fragment is on.
 */
export function fragmentTypes(info: GraphQLResolveInfo, members: readonly string[]): string[] {
  const names = info.fieldNodes
    .flatMap(({ selectionSet }) => namesIn(selectionSet?.selections ?? [], info));
  const belongs = (member: string) =>
    names.some((name) => {
      const type = info.schema.getType(name);
      return isAbstractType(type) &&
        info.schema.getPossibleTypes(type).some((possible) => possible.name === member);
    });
  return [...names.filter((name) => members.includes(name)), ...members.filter(belongs)];
}

function namesIn(selections: readonly SelectionNode[], info: GraphQLResolveInfo): string[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD || isLeftOut(selection, info)) return [];
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD
      ? info.fragments[selection.name.value]!
      : selection;
    const name = fragment.typeCondition?.name.value;
    return [...(name ? [name] : []), ...namesIn(fragment.selectionSet.selections, info)];
  });
}

function isLeftOut({ directives = [] }: SelectionNode, info: GraphQLResolveInfo): boolean {
  return directives.some(({ name, arguments: [condition] = [] }) => {
    const value = condition?.value;
    const given = value?.kind === Kind.VARIABLE
      ? variablesOf(info)[value.name.value]
      : value?.kind === Kind.BOOLEAN && value.value;
    return given === (name.value === "skip");
  });
}

/** graphql 17 keeps the values under `coerced`. */
function variablesOf({ variableValues }: GraphQLResolveInfo): Record<string, unknown> {
  const values: Record<string, unknown> = { ...variableValues };
  return typeof values.coerced === "object" ? { ...values.coerced } : values;
}
