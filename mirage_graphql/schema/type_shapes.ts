import {
  getNamedType,
  getNullableType,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from "graphql";
import { wrapperShape } from "./wrapper_shapes.ts";

/** A connection type of the Relay cursor connections specification, and the type of its nodes. */
export interface ConnectionShape {
  /** Type of the nodes: an object type, or an abstract one. */
  readonly nodeType: GraphQLObjectType | GraphQLAbstractType;
}

/**
 * The shape of a connection: its name ends in `Connection`, and its `edges` have a `node`, or its
 * `nodes` are the objects. `undefined` for every other type, such as one with an `id`, which is a
 * type with records.
 */
export function connectionShape(type: GraphQLNamedType): ConnectionShape | undefined {
  const wrapper = wrapperShape(type);
  if (wrapper !== undefined) return wrapper;
  if (!isObjectType(type) || !type.name.endsWith("Connection")) return undefined;
  const { edges, nodes, id } = type.getFields();
  if (id !== undefined) return undefined;
  const edgeType = edges && isList(edges.type) ? getNamedType(edges.type) : undefined;
  const node = isObjectType(edgeType) ? edgeType.getFields().node : undefined;
  const nodeType = node ? getNamedType(node.type) : nodes && getNamedType(nodes.type);
  return isCompositeType(nodeType) ? { nodeType } : undefined;
}

/** Whether a type is the edge or page info type of connections, which has no data of its own. */
export function isConnectionPart(type: GraphQLNamedType): boolean {
  if (!isObjectType(type)) return false;
  const fields = type.getFields();
  return type.name.endsWith("Edge") && fields.node !== undefined ||
    type.name === "PageInfo" && fields.startCursor !== undefined;
}

/** Whether a type is a list, nullable or not. */
export function isList(type: GraphQLOutputType): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type);
}

/** Whether a type is a list of lists. */
export function isNestedList(type: GraphQLOutputType): boolean {
  const list = getNullableType(type);
  return isListType(list) && isListType(getNullableType(list.ofType));
}

/** The object types that a value of a type can have: the type itself, or its members in order. */
export function possibleTypes(
  graphQLSchema: GraphQLSchema,
  type: GraphQLObjectType | GraphQLAbstractType,
): readonly GraphQLObjectType[] {
  return isAbstractType(type) ? graphQLSchema.getPossibleTypes(type) : [type];
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

type Field = GraphQLField<unknown, unknown>;

/**
 * The list in which a single field looks its record up by required arguments: `Repository.issues`
 * for `Repository.issue(number: Int!): Issue`. `undefined` for other fields, and if there are
 * several such lists.
 */
export function lookupList(parentType: GraphQLObjectType, field: Field): Field | undefined {
  const type = getNullableType(field.type);
  if (!isObjectType(type)) return undefined;
  const required = field.args.filter(isRequiredArgument);
  if (required.length === 0 || !required.every(({ name }) => hasLeaf(type, name))) return undefined;
  const [list, ...others] = Object.values(parentType.getFields())
    .filter((other) => itemType(other.type) === type);
  return others.length === 0 ? list : undefined;
}

const VIEW = /^(.+?)_?(aggregate|connection|list)$/i;

/**
 * The field whose records another one has in another shape: `posts` for `posts_aggregate`,
 * `postsConnection` and `postsList` next to it. `undefined` for other fields.
 */
export function viewedList(parentType: GraphQLObjectType, field: Field): Field | undefined {
  const [, name = ""] = VIEW.exec(field.name) ?? [];
  const list = name === "" ? undefined : parentType.getFields()[name];
  const item = itemType(field.type);
  return item !== undefined && list && itemType(list.type) === item ? list : undefined;
}

function hasLeaf(type: GraphQLObjectType, name: string): boolean {
  const field = type.getFields()[name];
  return field !== undefined && isLeafType(getNamedType(field.type));
}

function itemType(type: GraphQLOutputType): unknown {
  const named = getNamedType(type);
  return isList(type) ? named : connectionShape(named)?.nodeType;
}

/**
 * The field of a payload type, such as `CreatePersonPayload`, that returns the record, and its
 * type.
 */
export interface PayloadField {
  readonly fieldName: string;
  readonly type: GraphQLObjectType;
}

/**
 * The only field of a type that leads to a model; `undefined` if none or several do, or if it is a
 * list.
 */
export function payloadField(
  type: GraphQLObjectType,
  hasModel: (type: GraphQLObjectType) => boolean,
): PayloadField | undefined {
  const [field, ...more] = Object.values(type.getFields()).flatMap((field) => {
    const named = getNamedType(field.type);
    return isObjectType(named) && hasModel(named) ? [{ field, named }] : [];
  });
  if (field === undefined || more.length > 0 || isList(field.field.type)) return undefined;
  return { fieldName: field.field.name, type: field.named };
}

/**
 * Whether a type is `ID` or `ID!`; compared by name, because schemas may define their own `ID`
 * scalar.
 */
export function isIdType(type: GraphQLInputType | GraphQLOutputType): boolean {
  return String(getNullableType(type)) === "ID";
}
