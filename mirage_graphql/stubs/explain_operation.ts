import {
  type DocumentNode,
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import type { UnresolvedField } from "../shared/unresolved_field.ts";
import type { StubRules } from "./stub_rules.ts";
import { type RefusalSubject, refusalText } from "./warn_refused.ts";

/** What is explained: an operation of a mock. */
export interface ExplainedOperation extends RefusalSubject {
  readonly selected: {
    readonly operation: OperationDefinitionNode;
    readonly checked: { readonly document: DocumentNode };
  };
  /** The fields that no rule explains. */
  readonly unresolved: readonly UnresolvedField[];
  /** The API that answers all fields without a resolver of the user. */
  readonly merge?: { readonly url: string } | undefined;
  /** The value that has the fields at the root. */
  readonly root?: unknown;
}

/** What answers a field. */
interface FieldAnswer {
  /** The field with its type, such as `Query.people`. */
  readonly field: string;
  readonly rule: string;
}

/** Says what answers each field at the root of an operation, and why it was refused if it was. */
export function explainOperation(
  explained: ExplainedOperation,
): { answers: FieldAnswer[]; refusal: { reason: string; stub: string } | undefined } {
  const { rules: { orm: { graphQLSchema } }, selected } = explained;
  const { operation, checked: { document } } = selected;
  const type = graphQLSchema.getRootType(operation.operation);
  const names = rootFields(document, operation.selectionSet);
  const fields = Object.values(type?.getFields() ?? {}).filter(({ name }) => names.has(name));
  return {
    answers: type
      ? fields.map((field) => ({
        field: `${type.name}.${field.name}`,
        rule: ruleOf(explained, type, field),
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

/** Names of the fields at the root, whatever `@skip` and `@include` leave of them. */
function rootFields(
  document: DocumentNode,
  { selections }: SelectionSetNode,
  depth = 0,
): ReadonlySet<string> {
  const names = new Set<string>();
  if (depth > MAX_DEPTH) return names;
  for (const selection of selections) {
    if (selection.kind === "Field") {
      names.add(selection.name.value);
      continue;
    }
    const fragment = selection.kind === "InlineFragment"
      ? selection
      : document.definitions.find((definition) =>
        definition.kind === "FragmentDefinition" && definition.name.value === selection.name.value
      );
    if (fragment === undefined || !("selectionSet" in fragment) || !fragment.selectionSet) continue;
    for (const name of rootFields(document, fragment.selectionSet, depth + 1)) names.add(name);
  }
  return names;
}

function ruleOf(
  { rules, resolvers, merge, root, unresolved, setup = 'the option "resolvers"' }:
    ExplainedOperation,
  type: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): string {
  const own: unknown = Object.hasOwn(resolvers, type.name)
    ? Reflect.get(resolvers, type.name)
    : undefined;
  if (Object.hasOwn(Object(own), field.name)) return `a resolver of ${setup}`;
  if (merge !== undefined) return `the API at ${merge.url}`;
  if (root !== undefined) return 'the option "root"';
  const isRefused = unresolved.some(({ typeName, fieldName }) =>
    typeName === type.name && fieldName === field.name
  );
  if (isRefused) return "nothing, it needs a resolver";
  const what = resultOf(rules, field);
  const { dialects } = rules.orm.conventions;
  const conventions = dialects.length === 0
    ? "no conventions are on"
    : `conventions: ${dialects.map(({ name }) => name).join(", ")}`;
  if (type === rules.orm.graphQLSchema.getSubscriptionType()) {
    return `changes of records, ${what} (${conventions})`;
  }
  if (!rules.orm.mutationTypes.has(type)) return `records, ${what} (${conventions})`;
  const verb = rules.names.verb(field.name);
  return `a mutation ${
    verb === undefined ? "by its types" : `that says “${verb}”`
  }, ${what} (${conventions})`;
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
