import type { TypedModel } from "./models/relation_fields.ts";
import { hostGetters } from "./host_getters.ts";
import type { MirageSchema } from "./mirage.ts";
import type { MockModel, Relation } from "./models/model_map.ts";

/** Reads what Mirage has registered for a type. */
export function readModel(mirageSchema: MirageSchema, { type, modelName }: TypedModel): MockModel {
  const associations = Object.values(mirageSchema.associationsFor(modelName));
  const relations = associations.map((association): [string, Relation] => [association.name, {
    name: association.name,
    isList: association.type === "hasMany",
    foreignKey: association.foreignKey,
    modelName: association.isPolymorphic ? undefined : association.modelName,
  }]);
  return {
    typeName: type.name,
    modelName,
    collectionName: mirageSchema.toCollectionName(modelName),
    relations: new Map(relations),
    getters: hostGetters(mirageSchema.modelClassFor(modelName)),
  };
}
