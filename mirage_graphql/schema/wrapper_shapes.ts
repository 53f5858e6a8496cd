import {
  getNamedType,
  getNullableType,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isCompositeType,
  isLeafType,
  isListType,
  isObjectType,
} from "graphql";

/** A type that wraps a page, and the type of the records in it. */
export interface WrapperShape {
  readonly nodeType: GraphQLObjectType | GraphQLAbstractType;
}

const wrappers = new WeakMap<GraphQLNamedType, WrapperShape>();
const factTypes = new WeakSet<GraphQLNamedType>();

/** The shape of a type that {@linkcode registerWrappers} has found to wrap a page. */
export function wrapperShape(type: GraphQLNamedType): WrapperShape | undefined {
  return wrappers.get(type);
}

/** Whether a type of a registered schema describes a page, such as `meta { total }`. */
export function isFactType(type: GraphQLNamedType): boolean {
  return factTypes.has(type);
}

/**
 * Finds the types of a schema that wrap a page of records and are not named `...Connection`:
 * those with the fields of a Relay connection, such as `IssueSearchPayload { edges pageInfo }`; and
 * those such as `{ items nextToken }`, `{ launches cursor hasMore }` or `{ results info { pages } }`,
 * with one list of objects, and otherwise fields that describe the page. They count as connections
 * from then on.
 *
 * @param excluded Types that are not pages, such as the root types.
 */
export function registerWrappers(
  graphQLSchema: GraphQLSchema,
  excluded: ReadonlySet<GraphQLNamedType>,
): void {
  for (const type of Object.values(graphQLSchema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith("__") || excluded.has(type)) continue;
    if (type.name === "PageInfo") factTypes.add(type);
    const nodeType = nodeTypeOf(type);
    if (nodeType === undefined) continue;
    wrappers.set(type, { nodeType });
    if (type.getFields().edges === undefined) addFactTypes(type, nodeType);
  }
}

function nodeTypeOf(type: GraphQLObjectType): WrapperShape["nodeType"] | undefined {
  const { id, edges, ...fields } = type.getFields();
  if (id !== undefined) return undefined;
  if (edges !== undefined) return fields.pageInfo && nodeTypeOfEdges(edges);
  const items = itemsOf(Object.values(fields));
  if (items !== undefined) return items;
  const [list, ...others] = Object.values(fields).filter(isObjectList);
  const nodeType = list && getNamedType(list.type);
  if (!isCompositeType(nodeType) || others.length > 0) return undefined;
  const facts = Object.values(fields).filter((field) => field !== list);
  return facts.length > 0 && facts.every((field) => isFact(field)) ? nodeType : undefined;
}

/** The node type of `items` next to a `page_info`, whatever other fields there are (filters). */
function itemsOf(
  fields: readonly GraphQLField<unknown, unknown>[],
): WrapperShape["nodeType"] | undefined {
  const isDescribed = fields.some((field) =>
    /^(page_?info|pagination|paging)$/i.test(field.name) &&
    !isLeafType(getNamedType(field.type)) && isFact(field)
  );
  const list = fields.find((field) =>
    /^(items|nodes|results|records|data)$/i.test(field.name) && isObjectList(field)
  );
  const nodeType = list && getNamedType(list.type);
  return isDescribed && isCompositeType(nodeType) ? nodeType : undefined;
}

function nodeTypeOfEdges(
  { type }: GraphQLField<unknown, unknown>,
): WrapperShape["nodeType"] | undefined {
  const edge = getNamedType(type);
  const node = isObjectType(edge) && isListType(getNullableType(type))
    ? edge.getFields().node
    : undefined;
  const nodeType = node && getNamedType(node.type);
  return isCompositeType(nodeType) ? nodeType : undefined;
}

function isObjectList({ type }: GraphQLField<unknown, unknown>): boolean {
  return isListType(getNullableType(type)) && isCompositeType(getNamedType(type));
}

const FACT = new RegExp(
  "total|count|cursor|token|next|prev|has_?more|page|limit|offset|skip|per|size|__typename",
  "i",
);

/** How deep fields that describe the page may be nested: `meta { pagination { total } }`. */
const MAX_DEPTH = 3;

function isFact({ name, type }: GraphQLField<unknown, unknown>, depth = 0): boolean {
  const named = getNamedType(type);
  if (isLeafType(named)) return FACT.test(name);
  if (isListType(getNullableType(type)) || !isObjectType(named) || depth >= MAX_DEPTH) return false;
  const fields = Object.values(named.getFields());
  return fields.every((field) => field.name !== "id") &&
    fields.some((field) => isFact(field, depth + 1));
}

function addFactTypes(type: GraphQLObjectType, nodeType: GraphQLNamedType): void {
  for (const field of Object.values(type.getFields())) {
    const named = getNamedType(field.type);
    if (!isObjectType(named) || named === nodeType || factTypes.has(named)) continue;
    if (!isFact(field)) continue;
    factTypes.add(named);
    addFactTypes(named, nodeType);
  }
}
