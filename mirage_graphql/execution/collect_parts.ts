import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getDirectiveValues,
  GraphQLIncludeDirective,
  type GraphQLSchema,
  GraphQLSkipDirective,
  isAbstractType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from "graphql";
import { DEFER, STREAM } from "../schema/incremental_directives.ts";

/** A document, with what decides which of its fields and fragments apply. */
export interface Selected {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** What is selected of an object. */
export interface Collected {
  /** The fields of the first part, by their names in the response. */
  readonly fields: ReadonlyMap<string, readonly FieldNode[]>;
  /** Fragments that come later. */
  readonly deferred: readonly Deferred[];
}

/** A fragment that comes later. */
export interface Deferred {
  readonly label: string | undefined;
  readonly selectionSet: SelectionSetNode;
}

/** How a list is cut. */
export interface Streamed {
  readonly label: string | undefined;
  readonly initialCount: number;
}

/** Collects the fields of an object by its type, as the specification's CollectFields does. */
export function collectParts(
  selected: Selected,
  typeName: string,
  selectionSets: readonly SelectionSetNode[],
): Collected {
  const fields = new Map<string, FieldNode[]>();
  const deferred: Deferred[] = [];
  const visit = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (!isIncluded(selected, selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        fields.set(key, [...fields.get(key) ?? [], selection]);
        continue;
      }
      const fragment = selection.kind === Kind.INLINE_FRAGMENT
        ? selection
        : fragmentNamed(selected.document, selection.name.value);
      const condition = fragment?.typeCondition?.name.value ?? typeName;
      if (fragment === undefined || !applies(selected, condition, typeName)) continue;
      const defer = valuesOf(selected, DEFER, selection);
      if (defer?.if !== true) visit(fragment.selectionSet);
      else deferred.push({ label: labelOf(defer), selectionSet: fragment.selectionSet });
    }
  };
  selectionSets.forEach(visit);
  return { fields, deferred };
}

/** How the list of a field is cut; `undefined` if it is not cut. */
export function streamOf(selected: Selected, fields: readonly FieldNode[]): Streamed | undefined {
  for (const field of fields) {
    const values = valuesOf(selected, STREAM, field);
    if (values?.if === true) {
      return { label: labelOf(values), initialCount: Number(values.initialCount) };
    }
  }
  return undefined;
}

/** The variables of an operation, with the defaults of those that were not sent. */
export function withDefaults(
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Selected["variables"] | null | undefined,
): Selected["variables"] {
  const defaults = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)]]
  );
  return { ...Object.fromEntries(defaults), ...variables };
}

interface Directed {
  readonly directives?: readonly DirectiveNode[] | undefined;
}

function valuesOf({ variables }: Selected, directive: typeof DEFER, node: Directed) {
  return getDirectiveValues(directive, node, toVariableValues(variables));
}

/** graphql 17 takes coerced values with their sources, graphql 16 only the values. */
function toVariableValues(variables: Readonly<Record<string, unknown>>) {
  return { ...variables, coerced: variables, sources: {} };
}

function labelOf({ label }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof label === "string" ? label : undefined;
}

function isIncluded(selected: Selected, node: Directed): boolean {
  return valuesOf(selected, GraphQLSkipDirective, node)?.if !== true &&
    valuesOf(selected, GraphQLIncludeDirective, node)?.if !== false;
}

function fragmentNamed(
  { definitions }: DocumentNode,
  wanted: string,
): FragmentDefinitionNode | undefined {
  return definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
    .find(({ name }) => name.value === wanted);
}

function applies({ schema }: Selected, condition: string, typeName: string): boolean {
  if (condition === typeName) return true;
  const [abstract, type] = [schema.getType(condition), schema.getType(typeName)];
  return isAbstractType(abstract) && isObjectType(type) && schema.isSubType(abstract, type);
}
