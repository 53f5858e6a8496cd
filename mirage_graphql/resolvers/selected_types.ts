import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  isObjectType,
  Kind,
  type SelectionNode,
} from "graphql";

/**
 * Puts the types that the selection's fragments are on before the others, in the order of the
 * fragments. Fragments that `@skip` or `@include` leave out don't count.
 */
export function selectedTypes(
  types: readonly GraphQLObjectType[],
  info: GraphQLResolveInfo,
): readonly GraphQLObjectType[] {
  const names = new Set<string>();
  for (const { selectionSet } of info.fieldNodes) {
    collect(selectionSet?.selections ?? [], info, { names, spreads: new Set() });
  }
  const selected = [...names].flatMap((name) => types.find((type) => type.name === name) ?? []);
  return [...new Set([...selected, ...types])];
}

/** Names met so far: of object types, and of fragments that were looked into. */
interface Met {
  readonly names: Set<string>;
  readonly spreads: Set<string>;
}

function collect(selections: readonly SelectionNode[], info: GraphQLResolveInfo, met: Met): void {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD || !isIncluded(selection, info)) continue;
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      if (met.spreads.has(selection.name.value)) continue;
      met.spreads.add(selection.name.value);
    }
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD
      ? info.fragments[selection.name.value]
      : selection;
    if (fragment === undefined) continue;
    const condition = fragment.typeCondition?.name.value;
    if (condition !== undefined && isObjectType(info.schema.getType(condition))) {
      met.names.add(condition);
    }
    collect(fragment.selectionSet.selections, info, met);
  }
}

function isIncluded(selection: SelectionNode, { variableValues }: GraphQLResolveInfo): boolean {
  if (selection.directives === undefined || selection.directives.length === 0) return true;
  const skip = getDirectiveValues(GraphQLSkipDirective, selection, variableValues);
  const include = getDirectiveValues(GraphQLIncludeDirective, selection, variableValues);
  return skip?.if !== true && include?.if !== false;
}
