import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isLeafType,
  isListType,
  isObjectType,
} from "graphql";
import {
  describedPages,
  isConnectionPart,
  isScalarConnection,
  type NodeType,
  nodeTypeOf,
  sharedPages,
} from "./page_types.ts";

/** What the values of a type are, which decides how its fields are resolved. */
export type Kind =
  /** A scalar or an enum value. */
  | "leaf"
  /** A record or an embedded object; also the values of interfaces and unions. */
  | "object"
  /** The root of queries. */
  | "query"
  /** The root of mutations, or a group of them. */
  | "mutations"
  /** A page of records: a connection of Relay, or one of another form, such as `{ items total }`. */
  | "connection"
  /** A page of scalars or enum values. */
  | "scalar connection"
  /** Several lists that share a page, such as AniList's `Page { pageInfo media users }`. */
  | "shared page"
  /** An edge or the `PageInfo` of connections, which have no data of their own. */
  | "connection part"
  /** A description of a page, such as `meta { total }`. */
  | "page facts"
  /** Aggregates of records, such as `{ count sum { price } }` or `{ count priceMax }`. */
  | "aggregates"
  /** One function of several attributes: `{ price rank }`. */
  | "aggregate function";

/** What a type is; only a connection has the type of its records. */
export type Shape =
  | { readonly kind: "connection"; readonly nodeType: NodeType }
  | { readonly kind: Exclude<Kind, "connection">; readonly nodeType?: undefined };

/** Returns what a type of one schema is; the same each time. */
export type ShapeOf = (type: GraphQLNamedType) => Shape;

/** Which types are recognized besides those of the Relay specification. */
export interface ShapeOptions {
  /**
   * Pages of other forms, and descriptions of pages.
   * @default {false}
   */
  readonly connections?: boolean;
  /**
   * Aggregates of records.
   * @default {false}
   */
  readonly aggregates?: boolean;
}

const OBJECT: Shape = { kind: "object" };

/** Decides what each type of a schema is; of several kinds that fit, the first one counts. */
export function createShapeOf(
  graphQLSchema: GraphQLSchema,
  { connections = false, aggregates = false }: ShapeOptions = {},
): ShapeOf {
  const types = Object.values(graphQLSchema.getTypeMap());
  const objects = types.filter(isObjectType).filter(({ name }) => !name.startsWith("__"));
  const mutations = mutationTypes(graphQLSchema);
  const queryType = graphQLSchema.getQueryType();
  const results = resultTypes(graphQLSchema, mutations);
  const plain = objects.filter((type) => !results.has(type));
  const pages = describedPages(connections ? plain : [], queryType ? [queryType] : []);
  const counted = aggregates ? plain.filter(hasAggregates) : [];

  const shapes = new Map<GraphQLNamedType, Shape>();
  const set = (kind: Exclude<Kind, "connection">, members: Iterable<GraphQLNamedType>) => {
    for (const type of members) if (!shapes.has(type)) shapes.set(type, { kind });
  };
  set("leaf", types.filter(isLeafType));
  set("mutations", mutations);
  set("query", queryType ? [queryType] : []);
  for (const type of objects) {
    const nodeType = pages.nodeTypes.get(type) ?? nodeTypeOf(type);
    if (nodeType && !shapes.has(type)) shapes.set(type, { kind: "connection", nodeType });
  }
  set("aggregate function", counted.flatMap(functionTypes));
  set("aggregates", counted);
  if (connections) {
    set("shared page", sharedPages(queryType, pages.facts));
    set("scalar connection", objects.filter(isScalarConnection));
    set("page facts", pages.facts);
  }
  set("connection part", objects.filter(isConnectionPart));
  return (type) => shapes.get(type) ?? OBJECT;
}

/**
 * The types whose fields are mutations: the root, and those that only group mutations, such as
 * `type Mutation { posts: PostMutations! }`.
 */
export function mutationTypes(graphQLSchema: GraphQLSchema): ReadonlySet<GraphQLNamedType> {
  const root = graphQLSchema.getMutationType();
  const types = new Set(root ? [root] : []);
  for (const type of types) {
    for (const group of groupsOf(type)) if (hasMutations(group)) types.add(group);
  }
  return types;
}

/**
 * Whether a type groups mutations, rather than being a result such as
 * `LogoutMutation { ok: Boolean }`.
 */
function hasMutations(
  type: GraphQLObjectType,
  seen: ReadonlySet<GraphQLObjectType> = new Set(),
): boolean {
  if (seen.has(type)) return false;
  return Object.values(type.getFields()).some(({ args }) => args.length > 0) ||
    groupsOf(type).some((group) => hasMutations(group, new Set([...seen, type])));
}

function groupsOf(type: GraphQLObjectType): GraphQLObjectType[] {
  return Object.values(type.getFields()).filter(({ args }) => args.length === 0)
    .map((field): GraphQLOutputType => getNullableType(field.type)).filter(isGroup);
}

function isGroup(type: GraphQLOutputType): type is GraphQLObjectType {
  return isObjectType(type) && /Mutations?$/.test(type.name) && type.getFields().id === undefined;
}

/** The root types, and the results of mutations: they are neither pages nor aggregates. */
function resultTypes(
  graphQLSchema: GraphQLSchema,
  mutations: ReadonlySet<GraphQLNamedType>,
): ReadonlySet<GraphQLNamedType> {
  const results = [...mutations].filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields())).map(({ type }) => getNamedType(type));
  const roots = [graphQLSchema.getQueryType(), graphQLSchema.getSubscriptionType()];
  return new Set([...mutations, ...results, ...roots.flatMap((type) => type ?? [])]);
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
  const fields = Object.values(others).filter(({ type }) => !isListType(getNullableType(type)));
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
