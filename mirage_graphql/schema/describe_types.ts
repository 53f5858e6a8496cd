import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isCompositeType,
  isLeafType,
  isObjectType,
} from "graphql";
import { nodeOf, type NodeType } from "./page_types.ts";
import type { DescribedTypes, ObjectTypes, TypeFamilies } from "./shapes.ts";
import { isList, isObjectList } from "./types.ts";

type Field = GraphQLField<unknown, unknown>;

/**
 * Recognizes the pages and the aggregates of widespread APIs, whatever their types are named; those
 * of a family that is off are not looked for.
 */
export function describeTypes(
  { objects, plain, queryType }: ObjectTypes,
  { connections = false, aggregates = false }: TypeFamilies,
): DescribedTypes {
  const { nodeTypes, facts } = describedPages(
    connections ? plain : [],
    queryType ? [queryType] : [],
  );
  const counted = aggregates ? plain.filter(hasAggregates) : [];
  return {
    nodeTypes,
    kinds: [
      ["aggregate function", counted.flatMap(functionTypes)],
      ["aggregates", counted],
      ["shared page", connections ? sharedPages(queryType, facts) : []],
      ["scalar connection", connections ? objects.filter(isScalarConnection) : []],
      ["page facts", facts],
      ["amount", plain.filter(isAmount)],
    ],
  };
}

/** Whether a type has a currency, and an amount or one with a tax. */
function isAmount(type: GraphQLObjectType): boolean {
  const names = Object.keys(type.getFields());
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name));
  return has(/^currency/i) && has(/amount$|^gross$/i) && !has(/^_?id$/);
}

/** Whether a type is a connection of scalars or enum values, such as `StringConnection`. */
function isScalarConnection(type: GraphQLObjectType): boolean {
  const node = nodeOf(type);
  const { edges, nodes } = type.getFields();
  return node !== undefined && isLeafType(getNamedType(node.type)) &&
    [edges, nodes].every((field) => field === undefined || isList(field.type));
}

/** The pages of a schema that have fields to describe them, and the types of these fields. */
interface DescribedPages {
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
function describedPages(
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
function sharedPages(
  queryType: GraphQLObjectType | undefined,
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

const FUNCTION = /^_*(sum|avg|average|mean|min|max|minimum|maximum|count|distinct_?count)$/i;
/** Functions that are not computed, whose values are `null`. */
const OTHER_FUNCTION = /^_*(std_?dev|var)/i;
const COUNT = /^_*(total_?)?count$/i;
const OF_NUMBERS = /^_*(sum|avg|average|mean)$/i;
/** Dgraph's `priceMax`. */
const SUFFIXED = /[^_]_?(Min|Max|Sum|Avg)$/;

function hasAggregates(type: GraphQLObjectType): boolean {
  const { id, ...others } = type.getFields();
  const fields = Object.values(others).filter(({ type }) => !isList(type));
  const leaves = fields.filter(({ type }) => isLeafType(getNamedType(type)));
  const objects = fields.filter((field) => !leaves.includes(field));
  if (id !== undefined || !objects.every(isFunctionField)) return false;
  const isNamed = /aggregat/i.test(type.name);
  const isCounted = leaves.some(({ name }) => COUNT.test(name));
  if (objects.length > 0) {
    return isNamed || isCounted || objects.some(({ name }) => OF_NUMBERS.test(name));
  }
  return leaves.length > 0 && (isNamed || leaves.some(({ name }) => SUFFIXED.test(name))) &&
    leaves.every(({ name }) => COUNT.test(name) || SUFFIXED.test(name));
}

/** The types of functions of several attributes in a type with aggregates. */
function functionTypes(type: GraphQLObjectType): GraphQLNamedType[] {
  return Object.values(type.getFields()).filter(isFunctionField)
    .map((field) => getNamedType(field.type));
}

function isFunctionField({ name, type }: GraphQLField<unknown, unknown>): boolean {
  const named = getNamedType(type);
  if (!isObjectType(named) || !FUNCTION.test(name) && !OTHER_FUNCTION.test(name)) return false;
  const fields = Object.values(named.getFields());
  return fields.every(({ name, type }) => name !== "__typename" && isLeafType(getNamedType(type)));
}
