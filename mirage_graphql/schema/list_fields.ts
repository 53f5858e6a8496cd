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
import type { ShapeOf } from "./shapes.ts";
import { isList } from "./types.ts";

type Field = GraphQLField<unknown, unknown>;

/**
 * The list in which a single field looks its record up by required arguments: `Repository.issues`
 * for `Repository.issue(number: Int!): Issue`. `undefined` for other fields, and if there are
 * several such lists.
 */
export function lookupList(
  shapeOf: ShapeOf,
  parentType: GraphQLObjectType,
  field: Field,
): Field | undefined {
  const type = getNullableType(field.type);
  if (!isObjectType(type)) return undefined;
  const required = field.args.filter(isRequiredArgument);
  if (required.length === 0 || !required.every(({ name }) => hasLeaf(type, name))) return undefined;
  const [list, ...others] = Object.values(parentType.getFields())
    .filter((other) => itemType(shapeOf, other.type) === type);
  return others.length === 0 ? list : undefined;
}

const VIEW = /^(.+?)_?(aggregate|connection|list)$/i;

/**
 * The field whose records another one has in another shape: `posts` for `posts_aggregate`,
 * `postsConnection` and `postsList` next to it. `undefined` for other fields.
 */
export function viewedList(
  shapeOf: ShapeOf,
  parentType: GraphQLObjectType,
  field: Field,
): Field | undefined {
  const [, name = ""] = VIEW.exec(field.name) ?? [];
  const list = name === "" ? undefined : parentType.getFields()[name];
  const item = itemType(shapeOf, field.type);
  return item !== undefined && list && itemType(shapeOf, list.type) === item ? list : undefined;
}

function hasLeaf(type: GraphQLObjectType, name: string): boolean {
  const field = type.getFields()[name];
  return field !== undefined && isLeafType(getNamedType(field.type));
}

function itemType(shapeOf: ShapeOf, type: GraphQLOutputType): unknown {
  const named = getNamedType(type);
  return isList(type) ? named : shapeOf(named).nodeType;
}
