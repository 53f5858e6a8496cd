import {
  getNamedType,
  getNullableType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isLeafType,
  isObjectType,
} from "graphql";
import { isConnectionPart, type NodeType, nodeTypeOf } from "./page_types.ts";

/** What the values of a type are, which decides how its fields are resolved. */
export type Kind =
  /** A scalar or an enum value. */
  | "leaf"
  /** A record or an embedded object; also the values of interfaces and unions. */
  | "object"
  /** An amount of money: it is a part of the record that has it, also if a query returns one. */
  | "amount"
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

/** The families of types that are recognized besides those of the Relay specification. */
export interface TypeFamilies {
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

/** The object types of a schema, without those of introspection. */
export interface ObjectTypes {
  readonly objects: readonly GraphQLObjectType[];
  /** Those that are neither roots nor results of mutations. */
  readonly plain: readonly GraphQLObjectType[];
  readonly queryType: GraphQLObjectType | undefined;
}

/** What types are besides those of the Relay specification. */
export interface DescribedTypes {
  /** The types of the records, by the type of the page. */
  readonly nodeTypes: ReadonlyMap<GraphQLNamedType, NodeType>;
  /** The other types; of several kinds that fit, the first one counts. */
  readonly kinds: readonly (readonly [
    kind: Exclude<Kind, "connection">,
    types: Iterable<GraphQLNamedType>,
  ])[];
}

/** Recognizes types by conventions. */
export type DescribeTypes = (types: ObjectTypes, families: TypeFamilies) => DescribedTypes;

/** Which types are recognized besides those of the Relay specification. */
export interface ShapeOptions extends TypeFamilies {
  /**
   * Recognizes them; without it, the families have none.
   * @default {recognizes nothing}
   */
  readonly describeTypes?: DescribeTypes | undefined;
}

const OBJECT: Shape = { kind: "object" };
const NOTHING: DescribedTypes = { nodeTypes: new Map(), kinds: [] };

/** Decides what each type of a schema is; of several kinds that fit, the first one counts. */
export function createShapeOf(
  graphQLSchema: GraphQLSchema,
  { describeTypes = () => NOTHING, ...families }: ShapeOptions = {},
): ShapeOf {
  const types = Object.values(graphQLSchema.getTypeMap());
  const objects = types.filter(isObjectType).filter(({ name }) => !name.startsWith("__"));
  const mutations = mutationTypes(graphQLSchema);
  const queryType = graphQLSchema.getQueryType() ?? undefined;
  const results = resultTypes(graphQLSchema, mutations);
  const plain = objects.filter((type) => !results.has(type));
  const { nodeTypes, kinds } = describeTypes({ objects, plain, queryType }, families);

  const shapes = new Map<GraphQLNamedType, Shape>();
  const set = (kind: Exclude<Kind, "connection">, members: Iterable<GraphQLNamedType>) => {
    for (const type of members) if (!shapes.has(type)) shapes.set(type, { kind });
  };
  set("leaf", types.filter(isLeafType));
  set("mutations", mutations);
  set("query", queryType ? [queryType] : []);
  for (const type of objects) {
    const nodeType = nodeTypes.get(type) ?? nodeTypeOf(type);
    if (nodeType && !shapes.has(type)) shapes.set(type, { kind: "connection", nodeType });
  }
  for (const [kind, members] of kinds) set(kind, members);
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
