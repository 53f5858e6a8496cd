import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type InlineFragmentNode,
  isAbstractType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import { isIncluded } from "../resolvers/fragment_types.ts";
import type { Variables } from "./complete_value.ts";

/** What is needed to collect the fields of a selection set. */
export interface SelectionContext {
  readonly graphQLSchema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Variables;
}

/** The nodes of one response name, which are executed as one field. */
export type FieldNodes = readonly [FieldNode, ...FieldNode[]];

/**
 * Collects the fields that are selected of an object of one type, by response name and in the order
 * of the response.
 *
 * @throws {NotPlanned} If there is a directive other than `@skip` and `@include`, or a fragment
 * that defines variables.
 * @see https://spec.graphql.org/October2021/#CollectFields()
 */
export function collectFields(
  context: SelectionContext,
  type: GraphQLObjectType,
  selectionSets: readonly SelectionSetNode[],
): ReadonlyMap<string, FieldNodes> {
  const fields = new Map<string, [FieldNode, ...FieldNode[]]>();
  const spreads = new Set<string>();

  function collect({ selections }: SelectionSetNode): void {
    for (const selection of selections) {
      if (!isSelected(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const responseName = (selection.alias ?? selection.name).value;
        const nodes = fields.get(responseName);
        if (nodes === undefined) fields.set(responseName, [selection]);
        else nodes.push(selection);
        continue;
      }
      const fragment = fragmentOf(selection);
      if (fragment && isOfType(fragment)) collect(fragment.selectionSet);
    }
  }

  function isSelected(selection: SelectionNode): boolean {
    const { directives = [] } = selection;
    if (!directives.every(({ name }) => name.value === "skip" || name.value === "include")) {
      throw new NotPlanned();
    }
    return isIncluded(selection, context.variables);
  }

  /** A fragment that is spread twice adds nothing. */
  function fragmentOf(selection: Exclude<SelectionNode, FieldNode>) {
    if (selection.kind === Kind.INLINE_FRAGMENT) return selection;
    const name = selection.name.value;
    if (spreads.has(name)) return undefined;
    spreads.add(name);
    const fragment = context.fragments.get(name);
    if (fragment?.variableDefinitions?.length) throw new NotPlanned();
    return fragment;
  }

  function isOfType({ typeCondition }: FragmentDefinitionNode | InlineFragmentNode): boolean {
    if (typeCondition === undefined) return true;
    const condition = context.graphQLSchema.getType(typeCondition.name.value);
    return condition === type ||
      isAbstractType(condition) && context.graphQLSchema.isSubType(condition, type);
  }

  selectionSets.forEach(collect);
  return fields;
}

/** Ends the planning of an operation that graphql-js always has to execute. */
export class NotPlanned extends Error {}
