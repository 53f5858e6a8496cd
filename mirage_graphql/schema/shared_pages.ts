import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isCompositeType,
  isListType,
  isObjectType,
} from "graphql";
import { connectionShape } from "./type_shapes.ts";
import { isFactType } from "./wrapper_shapes.ts";

const sharedPages = new WeakSet<GraphQLNamedType>();

/** Whether a type of a registered schema has several lists, all cut by the arguments of its field. */
export function isSharedPage(type: GraphQLNamedType): type is GraphQLObjectType {
  return sharedPages.has(type);
}

/**
 * Finds the types of a schema whose lists share a page, such as AniList's
 * `Page(page, perPage) { pageInfo media users }`: the query type returns them with arguments of a
 * page, and they have several lists of objects, a description of the page, and nothing else.
 */
export function registerSharedPages(graphQLSchema: GraphQLSchema): void {
  for (const field of Object.values(graphQLSchema.getQueryType()?.getFields() ?? {})) {
    const type = getNullableType(field.type);
    if (!isObjectType(type) || connectionShape(type) !== undefined) continue;
    if (hasPageArgument(field) && holdsLists(type)) sharedPages.add(type);
  }
}

/** Whether a field returns a list of objects. */
export function isObjectList({ type }: GraphQLField<unknown, unknown>): boolean {
  return isListType(getNullableType(type)) && isCompositeType(getNamedType(type));
}

function hasPageArgument({ args }: GraphQLField<unknown, unknown>): boolean {
  return args.some(({ name, type }) =>
    getNamedType(type).name === "Int" && /^(page|first|limit|per_?page|page_?size)$/i.test(name)
  );
}

function holdsLists(type: GraphQLObjectType): boolean {
  const fields = Object.values(type.getFields());
  const others = fields.filter((field) => !isObjectList(field));
  const [description] = others;
  return fields.length - others.length > 1 && others.length === 1 && description !== undefined &&
    isFactType(getNamedType(description.type));
}
