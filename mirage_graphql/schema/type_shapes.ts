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

/** A connection type, by the Relay cursor connections specification, and the type of its nodes. */
export interface ConnectionShape {
  /** Type of the nodes: an object type, or an abstract one. */
  readonly nodeType: GraphQLObjectType | GraphQLAbstractType;
}

/**
 * Tells the shape of a connection: its name ends in `Connection`, and its `edges` hold a `node`, or
 * its `nodes` hold the objects. `undefined` for every other type, such as one with an `id`, which is
 * a thing of its own.
 */
export function connectionShape(type: GraphQLNamedType): ConnectionShape | undefined {
  if (!isObjectType(type) || !type.name.endsWith("Connection")) return undefined;
  const { edges, nodes, id } = type.getFields();
  if (id !== undefined) return undefined;
  const edgeType = edges && isList(edges.type) ? getNamedType(edges.type) : undefined;
  const node = isObjectType(edgeType) ? edgeType.getFields().node : undefined;
  const nodeType = node ? getNamedType(node.type) : nodes && getNamedType(nodes.type);
  return isCompositeType(nodeType) ? { nodeType } : undefined;
}

/** Tells the edge and page info types of connections, which hold no data of their own. */
export function isConnectionPart(type: GraphQLNamedType): boolean {
  if (!isObjectType(type)) return false;
  const fields = type.getFields();
  return type.name.endsWith("Edge") && fields.node !== undefined ||
    type.name === "PageInfo" && fields.startCursor !== undefined;
}

/** Tells whether a value of the type is a list, also one that must not be `null`. */
export function isList(type: GraphQLOutputType): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type);
}

/** Tells whether a value of the type is a list of lists. */
export function isNestedList(type: GraphQLOutputType): boolean {
  const list = getNullableType(type);
  return isListType(list) && isListType(getNullableType(list.ofType));
}

/** The object types that a value of the type can have: itself, or the members in their order. */
export function possibleTypes(
  graphQLSchema: GraphQLSchema,
  type: GraphQLObjectType | GraphQLAbstractType,
): readonly GraphQLObjectType[] {
  return isAbstractType(type) ? graphQLSchema.getPossibleTypes(type) : [type];
}

/**
 * The types whose fields are mutations: the root, and those that only group some, such as
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

/** Tells a group from what a mutation answers, such as `LogoutMutation { ok: Boolean }`. */
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
 * The list that a single field picks its record from by arguments that it must be given:
 * `Repository.issues` for `Repository.issue(number: Int!): Issue`. `undefined` for a field that
 * stands for itself, as one does beside which there are several such lists.
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

function hasLeaf(type: GraphQLObjectType, name: string): boolean {
  const field = type.getFields()[name];
  return field !== undefined && isLeafType(getNamedType(field.type));
}

function itemType(type: GraphQLOutputType): unknown {
  const named = getNamedType(type);
  return isList(type) ? named : connectionShape(named)?.nodeType;
}

/** The field of a payload type, such as `CreatePersonPayload`, that holds the record, and its type. */
export interface PayloadField {
  readonly fieldName: string;
  readonly type: GraphQLObjectType;
}

/** The one field of a type that leads to a model; `undefined` where none or several do, or a list. */
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

/** Tells `ID` and `ID!`; by name, for schemas that carry an `ID` scalar of their own. */
export function isIdType(type: GraphQLInputType | GraphQLOutputType): boolean {
  return String(getNullableType(type)) === "ID";
}
