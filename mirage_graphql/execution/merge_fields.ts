import {
  type DocumentNode,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  GraphQLError,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  separateOperations,
  visit,
} from "graphql";
import {
  collectFields,
  fragmentsOf,
  type SelectionContext,
  selectionIn,
} from "../shared/selection.ts";
import type { Merge } from "./executor_options.ts";
import { forwardRequest, readResult } from "./forward_request.ts";
import type { MockRequest } from "./graphql_request.ts";

/** Executes a part of an operation by an API: the root fields that have no resolver. */
export async function executeMerged(
  { url, isLocal }: Merge,
  args: ExecutionArgs & { readonly operation: OperationDefinitionNode },
  request: MockRequest = {},
): Promise<ExecutionResult> {
  const { schema, document, operation } = args;
  const typeName = schema.getRootType(operation.operation)?.name ?? "";
  const root = { document, typeName, isLocal };
  const remote = partOf(operation, root, false);
  const local = partOf(operation, root, true);
  if (remote === undefined) return await execute(args);
  const results: ExecutionResult[] = [await ask(url, { ...args, document: remote }, request)];
  if (local !== undefined) results.push(await execute({ ...args, document: local }));
  const selection = selectionIn(schema, document, operation, args.variableValues);
  return mergeResults(selection, operation, results);
}

interface Root extends Pick<Merge, "isLocal"> {
  readonly document: DocumentNode;
  readonly typeName: string;
}

/** An operation with only those root fields that are local, or only the others. */
function partOf(
  operation: OperationDefinitionNode,
  root: Root,
  isLocal: boolean,
): DocumentNode | undefined {
  const fragments = fragmentsOf(root.document);
  const isWanted = ({ name: { value } }: FieldNode) =>
    (value.startsWith("__") || root.isLocal(root.typeName, value)) === isLocal;
  const selectionSet = filtered(operation.selectionSet, { fragments, isWanted });
  if (selectionSet === undefined) return undefined;
  const part = { ...operation, selectionSet };
  const definitions = [part, ...Object.values(fragments)];
  const whole = { kind: Kind.DOCUMENT, definitions } as const;
  const [separate = whole] = Object.values(separateOperations(whole));
  return withoutUnused(separate);
}

interface Filter {
  readonly fragments: SelectionContext["fragments"];
  readonly isWanted: (field: FieldNode) => boolean;
}

/** Fragments at the root are inlined, because each part has different fields of them. */
function filtered(
  { selections, ...node }: SelectionSetNode,
  filter: Filter,
): SelectionSetNode | undefined {
  const wanted = selections.flatMap((selection) => filteredSelection(selection, filter) ?? []);
  return wanted.length === 0 ? undefined : { ...node, selections: wanted };
}

function filteredSelection(selection: SelectionNode, filter: Filter): SelectionNode | undefined {
  if (selection.kind === Kind.FIELD) return filter.isWanted(selection) ? selection : undefined;
  const fragment = selection.kind === Kind.INLINE_FRAGMENT
    ? selection
    : filter.fragments[selection.name.value];
  const selectionSet = fragment && filtered(fragment.selectionSet, filter);
  return selectionSet && {
    kind: Kind.INLINE_FRAGMENT,
    directives: selection.directives ?? [],
    selectionSet,
  };
}

/** Servers reject operations with unused variables. */
function withoutUnused(document: DocumentNode): DocumentNode {
  const used = new Set<string>();
  visit(document, {
    VariableDefinition: () => false,
    Variable: ({ name }) => void used.add(name.value),
  });
  return visit(document, {
    VariableDefinition: ({ variable }) => used.has(variable.name.value) ? undefined : null,
  });
}

async function ask(
  url: string,
  { document, variableValues = {}, operationName }: ExecutionArgs,
  request: MockRequest,
): Promise<ExecutionResult> {
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  const names = operation?.variableDefinitions?.map(({ variable }) => variable.name.value) ?? [];
  const given = Object.entries(variableValues ?? {}).filter(([name]) => names.includes(name));
  const one = { query: document, variables: Object.fromEntries(given), operationName };
  try {
    return await readResult(await forwardRequest(one, request, { url, isAlone: true }));
  } catch (error) {
    if (request.signal?.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return { errors: [new GraphQLError(`Cannot reach the API "${url}": ${reason}`)] };
  }
}

/** One result, with the fields in the order of the operation. */
function mergeResults(
  selection: SelectionContext,
  operation: OperationDefinitionNode,
  results: readonly ExecutionResult[],
): ExecutionResult {
  const errors = results.flatMap(({ errors }) => (errors ?? []).map(toGraphQLError));
  const extensions = Object.assign({}, ...results.map(({ extensions }) => extensions));
  const values = Object.assign(emptyData(), ...results.map(({ data }) => data));
  const isPartial = results.some(({ data }) => data === null || data === undefined);
  const rootType = selection.graphQLSchema.getRootType(operation.operation) ?? undefined;
  const fields = collectFields(selection, rootType, [operation.selectionSet]);
  let data: Record<string, unknown> | null = emptyData();
  for (const [key, [field]] of fields) {
    const isAnswered = Object.hasOwn(values, key);
    const type = rootType?.getFields()[field.name.value]?.type;
    const isMissing = !isAnswered && isPartial;
    if (isAnswered && data !== null) data[key] = values[key];
    else if (isMissing && type !== undefined && isNonNullType(type)) data = null;
    else if (isMissing && data !== null) data[key] = null;
  }
  return {
    data,
    ...(errors.length > 0 && { errors }),
    ...(Object.keys(extensions).length > 0 && { extensions }),
  };
}

/** Without a prototype, as graphql-js has it: a field may have the alias `__proto__`. */
function emptyData(): Record<string, unknown> {
  return Object.create(null);
}

/** Those of an API are plain objects; their locations are those of another document. */
function toGraphQLError(error: GraphQLError): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const { message, path, extensions } = error;
  return new GraphQLError(message, { path, extensions });
}
