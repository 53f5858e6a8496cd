import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from "graphql";
import { connectionShape, isList } from "./schema/type_shapes.ts";

type Field = GraphQLField<unknown, unknown>;

/**
 * The list that a single field picks its record from by arguments that it must be given:
 * `Repository.issues` for `Repository.issue(number: Int!): Issue`. `undefined` for a field that
 * stands for itself, as one does beside which there are several such lists.
 */
export function pickedList(parentType: GraphQLObjectType, field: Field): Field | undefined {
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
