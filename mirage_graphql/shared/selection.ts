import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getDirectiveValues,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLSkipDirective,
  type InlineFragmentNode,
  isAbstractType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from "graphql";
import { toVariableValues, type VariableValues } from "./graphql_versions.ts";

/** What decides which fields of a selection set are selected. */
export interface SelectionContext {
  readonly graphQLSchema: GraphQLSchema;
  /** The fragments of the document. */
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly variables: VariableValues;
}

/** The nodes of one response name, which are executed as one field. */
export type FieldNodes = readonly [FieldNode, ...FieldNode[]];

/** A fragment, where its fields are. */
export type Fragment = FragmentDefinitionNode | InlineFragmentNode;

/** Whether a fragment's fields are collected where it stands, in its `spread`. */
export type Enters = (fragment: Fragment, spread: SelectionNode) => boolean;

/**
 * Collects the fields that are selected of an object, by response name and in the order of the
 * response. A fragment that is spread twice adds nothing.
 *
 * @param enters Which fragments count, of those that `@skip` and `@include` leave; by default those
 * on the type.
 * @see https://spec.graphql.org/October2021/#CollectFields()
 */
export function collectFields(
  context: SelectionContext,
  type: GraphQLNamedType | undefined,
  selectionSets: readonly SelectionSetNode[],
  enters: Enters = (fragment) => appliesTo(context, fragment, type),
): ReadonlyMap<string, FieldNodes> {
  const fields = new Map<string, [FieldNode, ...FieldNode[]]>();
  const entered = new Set<Fragment>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (!isIncluded(selection, context.variables)) continue;
      if (selection.kind === Kind.FIELD) {
        const responseName = (selection.alias ?? selection.name).value;
        const nodes = fields.get(responseName);
        if (nodes === undefined) fields.set(responseName, [selection]);
        else nodes.push(selection);
        continue;
      }
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD
        ? context.fragments[selection.name.value]
        : selection;
      if (fragment === undefined || entered.has(fragment) || !enters(fragment, selection)) continue;
      entered.add(fragment);
      collect(fragment.selectionSet);
    }
  };
  selectionSets.forEach(collect);
  return fields;
}

/** Whether a fragment is on a type, or on an interface or union that the type belongs to. */
export function appliesTo(
  { graphQLSchema }: SelectionContext,
  { typeCondition }: Fragment,
  type: GraphQLNamedType | undefined,
): boolean {
  if (typeCondition === undefined) return true;
  const condition = graphQLSchema.getType(typeCondition.name.value);
  return condition === type ||
    isAbstractType(condition) && isObjectType(type) && graphQLSchema.isSubType(condition, type);
}

/** Whether `@skip` and `@include` leave a field or a fragment in the selection. */
function isIncluded(selection: SelectionNode, variables: VariableValues): boolean {
  if (selection.directives === undefined || selection.directives.length === 0) return true;
  const skip = getDirectiveValues(GraphQLSkipDirective, selection, variables);
  const include = getDirectiveValues(GraphQLIncludeDirective, selection, variables);
  return skip?.if !== true && include?.if !== false;
}

/** What decides about the selection of a field that graphql-js resolves. */
export function selectionOf(
  { schema, fragments, variableValues }: GraphQLResolveInfo,
): SelectionContext {
  return { graphQLSchema: schema, fragments, variables: variableValues };
}

/**
 * Puts the types of a selection's fragments before the others, in the order of the fragments; then
 * the members of interfaces and unions that fragments are on, in their own order.
 */
export function selectedTypes(
  types: readonly GraphQLObjectType[],
  info: GraphQLResolveInfo,
): readonly GraphQLObjectType[] {
  const named = new Set<GraphQLObjectType>();
  const members = new Set<GraphQLObjectType>();
  collectFields(selectionOf(info), undefined, selectionSetsOf(info), ({ typeCondition }) => {
    const type = info.schema.getType(typeCondition?.name.value ?? "");
    if (isObjectType(type) && types.includes(type)) named.add(type);
    if (isAbstractType(type)) info.schema.getPossibleTypes(type).forEach((one) => members.add(one));
    return true;
  });
  return [...new Set([...named, ...types.filter((type) => members.has(type)), ...types])];
}

/** What is selected of the value of a field. */
export function selectionSetsOf({ fieldNodes }: GraphQLResolveInfo): readonly SelectionSetNode[] {
  return fieldNodes.flatMap(({ selectionSet }) => selectionSet ?? []);
}

/** What decides about the selection of an operation with the variables of a request. */
export function selectionIn(
  graphQLSchema: GraphQLSchema,
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>> | null | undefined,
): SelectionContext {
  const defaults = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)]]
  );
  const values = { ...Object.fromEntries(defaults), ...variables };
  return {
    graphQLSchema,
    fragments: fragmentsOf(document),
    variables: toVariableValues(values),
  };
}

/** The fragments of a document by their names. */
export function fragmentsOf(
  { definitions }: DocumentNode,
): Readonly<Record<string, FragmentDefinitionNode>> {
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  return Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment]));
}
