import { getNamedType, type GraphQLObjectType, type GraphQLSchema, isObjectType } from "graphql";
import { isList } from "../graphql_types.ts";
import type { ModelMap, PayloadShape, PayloadShapeOf } from "./model_map.ts";

/**
 * Finds the payload types of a schema: returned by a mutation, without a model, and with exactly one
 * field that holds one record of a model; scalars and embedded values may stand beside it.
 */
export function payloadShapes(graphQLSchema: GraphQLSchema, modelMap: ModelMap): PayloadShapeOf {
  const hasModel = (type: GraphQLObjectType) => modelMap.ofType(type.name) !== undefined;
  const shapes = new Map<string, PayloadShape>();
  for (const { type } of Object.values(graphQLSchema.getMutationType()?.getFields() ?? {})) {
    const named = getNamedType(type);
    if (!isObjectType(named) || isList(type) || hasModel(named)) continue;
    const shape = payloadField(named, hasModel);
    if (shape !== undefined) shapes.set(named.name, shape);
  }
  return (type) => shapes.get(type.name);
}

/** The one field of a type that leads to a model; `undefined` where none or several do, or a list. */
export function payloadField(
  type: GraphQLObjectType,
  hasModel: (type: GraphQLObjectType) => boolean,
): PayloadShape | undefined {
  const [field, ...more] = Object.values(type.getFields()).flatMap((field) => {
    const named = getNamedType(field.type);
    return isObjectType(named) && hasModel(named) ? [{ field, named }] : [];
  });
  if (field === undefined || more.length > 0 || isList(field.field.type)) return undefined;
  return { fieldName: field.field.name, type: field.named };
}
