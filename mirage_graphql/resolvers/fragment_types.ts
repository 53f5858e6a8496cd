import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  isAbstractType,
  isObjectType,
  Kind,
  type SelectionNode,
} from "graphql";

/**
 * Puts the types of the selection's fragments before the others, in the order of the fragments;
 * then the members of interfaces and unions that fragments are on, in their own order. Fragments
 * that `@skip` or `@include` exclude don't count.
 */
export function selectedTypes(
  types: readonly GraphQLObjectType[],
  info: GraphQLResolveInfo,
): readonly GraphQLObjectType[] {
  const met: Met = { objects: new Set(), members: new Set(), spreads: new Set() };
  for (const { selectionSet } of info.fieldNodes) {
    collect(selectionSet?.selections ?? [], info, met);
  }
  const named = [...met.objects].filter((type) => types.includes(type));
  const members = types.filter((type) => met.members.has(type));
  return [...new Set([...named, ...members, ...types])];
}

/** What has been visited so far. */
interface Met {
  /** Object types that fragments are on. */
  readonly objects: Set<GraphQLObjectType>;
  /** The types of the interfaces and unions that fragments are on. */
  readonly members: Set<GraphQLObjectType>;
  /** Names of the fragments that were visited. */
  readonly spreads: Set<string>;
}

function collect(selections: readonly SelectionNode[], info: GraphQLResolveInfo, met: Met): void {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD || !isIncluded(selection, info.variableValues)) continue;
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      if (met.spreads.has(selection.name.value)) continue;
      met.spreads.add(selection.name.value);
    }
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD
      ? info.fragments[selection.name.value]
      : selection;
    if (fragment === undefined) continue;
    const type = info.schema.getType(fragment.typeCondition?.name.value ?? "");
    if (isObjectType(type)) met.objects.add(type);
    if (isAbstractType(type)) {
      for (const member of info.schema.getPossibleTypes(type)) met.members.add(member);
    }
    collect(fragment.selectionSet.selections, info, met);
  }
}

/** Whether `@skip` and `@include` leave a field or a fragment in the selection. */
export function isIncluded(
  selection: SelectionNode,
  variableValues: Parameters<typeof getDirectiveValues>[2],
): boolean {
  if (selection.directives === undefined || selection.directives.length === 0) return true;
  const skip = getDirectiveValues(GraphQLSkipDirective, selection, variableValues);
  const include = getDirectiveValues(GraphQLIncludeDirective, selection, variableValues);
  return skip?.if !== true && include?.if !== false;
}
