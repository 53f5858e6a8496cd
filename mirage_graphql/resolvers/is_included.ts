import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  type SelectionNode,
} from "graphql";

/** Tells whether `@skip` and `@include` leave a field or a fragment in the selection. */
export function isIncluded(
  selection: SelectionNode,
  variableValues: Parameters<typeof getDirectiveValues>[2],
): boolean {
  if (selection.directives === undefined || selection.directives.length === 0) return true;
  const skip = getDirectiveValues(GraphQLSkipDirective, selection, variableValues);
  const include = getDirectiveValues(GraphQLIncludeDirective, selection, variableValues);
  return skip?.if !== true && include?.if !== false;
}
