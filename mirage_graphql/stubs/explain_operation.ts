import {
  type DocumentNode,
  type FieldNode,
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import type { Explanation, FieldAnswer } from "../execution/inspector.ts";
import type { UnresolvedField } from "../shared/unresolved_field.ts";
import { listRules, mutationRules } from "./followed_rules.ts";
import type { StubRules } from "./stub_rules.ts";
import { type RefusalSubject, refusalText } from "./warn_refused.ts";

/** What is explained: an operation of a mock. */
export interface ExplainedOperation extends RefusalSubject {
  readonly selected: {
    readonly operation: OperationDefinitionNode;
    readonly checked: { readonly document: DocumentNode };
  };
  /** The variables of the request. @default {{}} */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** The fields that no rule explains. */
  readonly unresolved: readonly UnresolvedField[];
  /** The API that answers all fields without a resolver of the user. */
  readonly merge?: { readonly url: string } | undefined;
  /** The value that has the fields at the root. */
  readonly root?: unknown;
}

/** Says what answers each field at the root of an operation, and why it was refused if it was. */
export function explainOperation(
  explained: ExplainedOperation,
): Explanation {
  const { rules: { orm: { graphQLSchema } }, selected } = explained;
  const { operation, checked: { document } } = selected;
  const type = graphQLSchema.getRootType(operation.operation);
  const nodes = rootFields(document, operation.selectionSet);
  const fields = Object.values(type?.getFields() ?? {}).filter(({ name }) =>
    nodes.some((node) => node.name.value === name)
  );
  return {
    answers: type
      ? fields.map((field) => ({
        field: `${type.name}.${field.name}`,
        ...answerOf(explained, type, field, nodes.filter(({ name }) => name.value === field.name)),
      }))
      : [],
    refusal: refusalOf(explained),
  };
}

function refusalOf(explained: ExplainedOperation): { reason: string; stub: string } | undefined {
  const text = explained.unresolved.length === 0
    ? undefined
    : refusalText({ ...explained, operation: explained.selected.operation });
  if (text === undefined) return undefined;
  const [reason = "", ...stub] = text.split("\n\n");
  return { reason: reason.replace(/^\[mirage-graphql\] /, ""), stub: stub.join("\n\n") };
}

/** How deep fragments at the root are entered. */
const MAX_DEPTH = 10;

/** The fields at the root, whatever `@skip` and `@include` leave of them. */
function rootFields(
  document: DocumentNode,
  { selections }: SelectionSetNode,
  depth = 0,
): readonly FieldNode[] {
  const nodes: FieldNode[] = [];
  if (depth > MAX_DEPTH) return nodes;
  for (const selection of selections) {
    if (selection.kind === "Field") {
      nodes.push(selection);
      continue;
    }
    const fragment = selection.kind === "InlineFragment"
      ? selection
      : document.definitions.find((definition) =>
        definition.kind === "FragmentDefinition" && definition.name.value === selection.name.value
      );
    if (fragment === undefined || !("selectionSet" in fragment) || !fragment.selectionSet) continue;
    nodes.push(...rootFields(document, fragment.selectionSet, depth + 1));
  }
  return nodes;
}

function answerOf(
  explained: ExplainedOperation,
  type: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  nodes: readonly FieldNode[],
): Omit<FieldAnswer, "field"> {
  const outside = outsideRule(explained, type, field);
  if (outside !== undefined) return { rule: outside, dialectRules: [] };
  const { rules, variables = {} } = explained;
  const { reading, orm: { conventions, graphQLSchema, mutationTypes } } = rules;
  const isMutation = mutationTypes.has(type);
  const isSubscription = type === graphQLSchema.getSubscriptionType();
  const dialectRules = nodes.flatMap((node) => {
    const selected = { field, node, variables };
    if (isMutation) return mutationRules(rules, selected);
    return reading === undefined ? [] : listRules({ ...rules, reading }, selected);
  });
  const state = conventions.dialects.length === 0 ? " (no conventions are on)" : "";
  const what = `${resultOf(rules, field)}${state}`;
  const verb = isMutation ? rules.names.verb(field.name) : undefined;
  const rule = isMutation
    ? `a mutation ${verb === undefined ? "by its types" : `that says “${verb}”`}, ${what}`
    : `${isSubscription ? "changes of records" : "records"}, ${what}`;
  return { rule, dialectRules };
}

/** What answers a field instead of the mock's records; `undefined` if nothing does. */
function outsideRule(
  { resolvers, merge, root, unresolved, setup = 'the option "resolvers"' }: ExplainedOperation,
  type: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): string | undefined {
  const own: unknown = Object.hasOwn(resolvers, type.name)
    ? Reflect.get(resolvers, type.name)
    : undefined;
  if (Object.hasOwn(Object(own), field.name)) return `a resolver of ${setup}`;
  if (merge !== undefined) return `the API at ${merge.url}`;
  if (root !== undefined) return 'the option "root"';
  const isRefused = unresolved.some(({ typeName, fieldName }) =>
    typeName === type.name && fieldName === field.name
  );
  return isRefused ? "nothing, it needs a resolver" : undefined;
}

/** What a field returns, as the mock sees its type. */
function resultOf(
  { orm: { shapeOf } }: StubRules,
  { type }: GraphQLField<unknown, unknown>,
): string {
  const named = getNamedType(type);
  const shape = shapeOf(named);
  if (shape.nodeType !== undefined) return `a connection of ${shape.nodeType.name}`;
  const nullable = isNonNullType(type) ? type.ofType : type;
  const kind = shape.kind === "object" ? "" : ` (${shape.kind})`;
  return `${isListType(nullable) ? "a list of " : ""}${named.name}${kind}`;
}
