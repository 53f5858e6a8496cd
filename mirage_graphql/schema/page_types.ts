import {
  getNamedType,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  isCompositeType,
  isObjectType,
} from "graphql";
import { isList } from "./types.ts";

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

/** The field of a connection that is a record: `node` of its edges, or its `nodes`. */
export function nodeOf(type: GraphQLObjectType): Field | undefined {
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
