import {
  getNamedType,
  getNullableType,
  type GraphQLAbstractType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
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
