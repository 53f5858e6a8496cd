import {
  getNamedType,
  getNullableType,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isCompositeType,
  isLeafType,
  isObjectType,
} from "graphql";
import { isList, isObjectList } from "./types.ts";

type Field = GraphQLField<unknown, unknown>;

/** The type of the records in a page. */
export type NodeType = GraphQLObjectType | GraphQLAbstractType;

/**
 * The type of the nodes of a connection of Relay: its name ends in `Connection`, and its `edges`
 * have a `node`, or its `nodes` are the objects. `undefined` for every other type, such as one with
 * an `id`, which is a type with records.
 */
export function nodeTypeOf(type: GraphQLObjectType): NodeType | undefined {
  const node = nodeOf(type);
  const named = node && getNamedType(node.type);
  return isCompositeType(named) ? named : undefined;
}

/** Whether a type is a connection of scalars or enum values, such as `StringConnection`. */
export function isScalarConnection(type: GraphQLObjectType): boolean {
  const node = nodeOf(type);
  const { edges, nodes } = type.getFields();
  return node !== undefined && isLeafType(getNamedType(node.type)) &&
    [edges, nodes].every((field) => field === undefined || isList(field.type));
}

/** The field of a connection that is a record: `node` of its edges, or its `nodes`. */
function nodeOf(type: GraphQLObjectType): Field | undefined {
  const { edges, nodes, id } = type.getFields();
  if (!type.name.endsWith("Connection") || id !== undefined) return undefined;
  const edgeType = edges && isList(edges.type) ? getNamedType(edges.type) : undefined;
  return isObjectType(edgeType) ? edgeType.getFields().node ?? nodes : nodes;
}

/** Whether a type is the edge or page info type of connections, which has no data of its own. */
export function isConnectionPart(type: GraphQLNamedType): boolean {
  if (!isObjectType(type)) return false;
  const fields = type.getFields();
  return type.name.endsWith("Edge") && fields.node !== undefined ||
    type.name === "PageInfo" && fields.startCursor !== undefined;
}

/** The pages of a schema that have fields to describe them, and the types of these fields. */
export interface DescribedPages {
  /** The types of the records, by the type of the page. */
  readonly nodeTypes: ReadonlyMap<GraphQLNamedType, NodeType>;
  readonly facts: ReadonlySet<GraphQLNamedType>;
}

/**
 * Finds the types that wrap a page of records, whatever they are named: those with the fields of a
 * Relay connection, such as `IssueSearchPayload { edges pageInfo }`; and those such as
 * `{ items nextToken }`, `{ launches cursor hasMore }` or `{ results info { pages } }`, with one
 * list of objects, and otherwise fields that describe the page. With totals, such as
 * `{ count duration scenes }`, a type is a page if a field with arguments returns it; with an `id`,
 * if the only field that returns it has the arguments of a page.
 *
 * @param roots The root types, whose fields may return a page.
 */
export function describedPages(
  types: readonly GraphQLObjectType[],
  roots: readonly GraphQLObjectType[] = [],
): DescribedPages {
  const nodeTypes = new Map<GraphQLNamedType, NodeType>();
  const facts = new Set<GraphQLNamedType>(types.filter(({ name }) => name === "PageInfo"));
  const returning = returningFields([...types, ...roots]);
  for (const type of types) {
    const nodeType = wrappedType(type, returning.get(type) ?? []);
    if (nodeType === undefined) continue;
    nodeTypes.set(type, nodeType);
    if (type.getFields().edges === undefined) addFacts(facts, type, nodeType);
  }
  return { nodeTypes, facts };
}

/** The fields that return each type, in a list or not. */
function returningFields(
  types: readonly GraphQLObjectType[],
): ReadonlyMap<GraphQLNamedType, readonly Field[]> {
  const fields = new Map<GraphQLNamedType, Field[]>();
  for (const field of types.flatMap((type) => Object.values(type.getFields()))) {
    const named = getNamedType(field.type);
    const known = fields.get(named);
    if (known === undefined) fields.set(named, [field]);
    else known.push(field);
  }
  return fields;
}

function wrappedType(
  type: GraphQLObjectType,
  returning: readonly Field[],
): NodeType | undefined {
  const { id, edges, ...others } = type.getFields();
  if (id !== undefined && !isOnlyPage(returning)) return undefined;
  if (edges !== undefined) return others.pageInfo && typeOfEdges(edges);
  const fields = Object.values(others);
  const items = typeOfItems(fields);
  if (items !== undefined) return items;
  const [list, ...lists] = fields.filter(isObjectList);
  const nodeType = list && getNamedType(list.type);
  if (!isCompositeType(nodeType) || lists.length > 0) return undefined;
  const facts = fields.filter((field) => field !== list);
  const isPage = facts.length > 0 && facts.every((field) => isFact(field)) ||
    areTotals(facts, nodeType) && isChosen(returning);
  return isPage ? nodeType : undefined;
}

/** Whether one field returns a type, with arguments of a page. */
function isOnlyPage([field, ...others]: readonly Field[]): boolean {
  return field !== undefined && others.length === 0 && !isList(field.type) &&
    hasPageArgument(field);
}

/** Whether a type is returned by itself, and by a field whose arguments may choose records. */
function isChosen(returning: readonly Field[]): boolean {
  return returning.every(({ type }) => !isList(type)) &&
    returning.some(({ args }) => args.length > 0);
}

/** Whether fields are numbers, of which one counts records: `{ count duration }`. */
function areTotals(fields: readonly Field[], nodeType: NodeType): boolean {
  const isRecord = !isObjectType(nodeType) || nodeType.getFields().id !== undefined;
  return isRecord && fields.every(isNumber) &&
    fields.some(({ name }) => /count|total/i.test(name));
}

function isNumber({ type }: Field): boolean {
  return !isList(type) &&
    /^(Int|Float|Big|Long|Decimal|Double|Number)/.test(getNamedType(type).name);
}

function typeOfEdges({ type }: Field): NodeType | undefined {
  const edge = getNamedType(type);
  const node = isObjectType(edge) && isList(type) ? edge.getFields().node : undefined;
  const nodeType = node && getNamedType(node.type);
  return isCompositeType(nodeType) ? nodeType : undefined;
}

/** The type of `items` next to a `page_info`, whatever other fields there are (filters). */
function typeOfItems(fields: readonly Field[]): NodeType | undefined {
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

const FACT = new RegExp(
  "total|count|cursor|token|next|prev|has_?more|page|limit|offset|skip|per|size|__typename",
  "i",
);

/** How deep fields that describe the page may be nested: `meta { pagination { total } }`. */
const MAX_DEPTH = 3;

function isFact({ name, type }: Field, depth = 0): boolean {
  const named = getNamedType(type);
  if (isLeafType(named)) return FACT.test(name);
  if (isList(type) || !isObjectType(named) || depth >= MAX_DEPTH) return false;
  const fields = Object.values(named.getFields());
  return fields.every((field) => field.name !== "id") &&
    fields.some((field) => isFact(field, depth + 1));
}

function addFacts(
  facts: Set<GraphQLNamedType>,
  type: GraphQLObjectType,
  nodeType: GraphQLNamedType,
): void {
  for (const field of Object.values(type.getFields())) {
    const named = getNamedType(field.type);
    if (!isObjectType(named) || named === nodeType || facts.has(named)) continue;
    if (!isFact(field)) continue;
    facts.add(named);
    addFacts(facts, named, nodeType);
  }
}

/**
 * The types whose lists share a page, such as AniList's `Page(page, perPage) { pageInfo media users }`:
 * the query type returns them with arguments of a page, and they have several lists of objects, a
 * description of the page, and nothing else.
 */
export function sharedPages(
  queryType: GraphQLObjectType | null | undefined,
  facts: ReadonlySet<GraphQLNamedType>,
): GraphQLObjectType[] {
  return Object.values(queryType?.getFields() ?? {}).filter(hasPageArgument)
    .map(({ type }): GraphQLOutputType => getNullableType(type)).filter(isObjectType)
    .filter((type) => hasLists(type, facts));
}

function hasPageArgument({ args }: Field): boolean {
  return args.some(({ name, type }) =>
    getNamedType(type).name === "Int" &&
    /^(page|first|limit|take|skip|offset|per_?page|page_?size)$/i.test(name)
  );
}

function hasLists(type: GraphQLObjectType, facts: ReadonlySet<GraphQLNamedType>): boolean {
  const fields = Object.values(type.getFields());
  const [description, ...others] = fields.filter((field) => !isObjectList(field));
  return description !== undefined && others.length === 0 && fields.length > 2 &&
    facts.has(getNamedType(description.type));
}
