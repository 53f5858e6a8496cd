import type { GraphQLSchema } from "graphql";
import { belongsTo, hasMany, Model } from "miragejs";
import { toModelName } from "../orm/mirage/model_names.ts";
import { modelTypes } from "../orm/models/model_types.ts";
import { createShapeOf } from "../schema/shapes.ts";
import { draftRelations } from "../orm/models/relation_fields.ts";

/** Models for a schema whose relations have no inverses, so that each can be set independently. */
export function standaloneModels(graphQLSchema: GraphQLSchema): Record<string, object> {
  const shapeOf = createShapeOf(graphQLSchema);
  const types = modelTypes(graphQLSchema, shapeOf, () => false);
  const names = new Map(types.map(({ name }) => [name, toModelName(name)]));
  return Object.fromEntries(types.map((type) => {
    const typed = { type, modelName: toModelName(type.name) };
    const relations = draftRelations({ graphQLSchema, shapeOf }, typed, (name) => names.get(name));
    const associations = relations.map(({ name, isList, isPolymorphic, targets }) => {
      const target = isPolymorphic ? undefined : targets[0];
      const options = { inverse: null, polymorphic: isPolymorphic };
      return [name, isList ? hasMany(target, options) : belongsTo(target, options)];
    });
    return [typed.modelName, Model.extend(Object.fromEntries(associations))];
  }));
}
