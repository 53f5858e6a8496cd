import {
  getNamedType,
  getNullableType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isLeafType,
  isListType,
  isObjectType,
} from "graphql";

const scalarConnections = new WeakSet<GraphQLNamedType>();

/** Whether a type of a registered schema is a connection of scalars, such as `StringConnection`. */
export function isScalarConnection(type: GraphQLNamedType): boolean {
  return scalarConnections.has(type);
}

/** Finds the connections of a schema whose nodes are scalars or enum values. */
export function registerScalarConnections(graphQLSchema: GraphQLSchema): void {
  for (const type of Object.values(graphQLSchema.getTypeMap())) {
    if (!isObjectType(type) || !type.name.endsWith("Connection")) continue;
    const { edges, nodes, id } = type.getFields();
    if (id !== undefined || (edges ?? nodes) === undefined) continue;
    const edge = edges && getNamedType(edges.type);
    const node = isObjectType(edge) ? edge.getFields().node : nodes;
    const isListed = [edges, nodes].every((field) =>
      field === undefined || isListType(getNullableType(field.type))
    );
    if (isListed && node !== undefined && isLeafType(getNamedType(node.type))) {
      scalarConnections.add(type);
    }
  }
}
