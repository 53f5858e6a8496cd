import type { GraphQLSchema } from "graphql";
import { deriveInverses } from "./derive_inverses.ts";
import { draftRelations, hostRelations, type TypedModel } from "./draft_relations.ts";
import type { MirageSchema } from "./mock_schema.ts";
import type { MockModel, ModelMap } from "./model_map.ts";
import { nameKey, registeredModelNames, toModelName } from "./model_names.ts";
import { modelTypes } from "./model_types.ts";
import { nameStems } from "./name_stems.ts";
import { readModel } from "./read_model.ts";
import { registerModel } from "./register_models.ts";
import type { RelationDraft } from "./relation_draft.ts";

/**
 * Makes sure that each type of the GraphQL schema that needs a Mirage model has one, and tells which
 * it is. The host's models stay as they are; missing ones are registered with the relations of their
 * type, each with an explicit inverse. Calling it again changes nothing.
 *
 * @throws {RangeError} Where inverses are ambiguous, or where Mirage can't hold a type's model; no
 * model is registered then.
 */
export function ensureModels(graphQLSchema: GraphQLSchema, mirageSchema: MirageSchema): ModelMap {
  const hostNames = registeredModelNames(mirageSchema);
  const typed = modelTypes(graphQLSchema, (name) => hostNames.has(nameKey(name))).map((type) => ({
    type,
    modelName: hostNames.get(nameKey(type.name)) ?? toModelName(type.name),
  }));
  const missing = typed.filter(({ type }) => !hostNames.has(nameKey(type.name)));
  if (missing.length > 0) registerMissing(graphQLSchema, mirageSchema, typed, new Set(missing));
  return toModelMap(typed.map((model) => readModel(mirageSchema, model)));
}

function registerMissing(
  graphQLSchema: GraphQLSchema,
  mirageSchema: MirageSchema,
  typed: readonly TypedModel[],
  missing: ReadonlySet<TypedModel>,
): void {
  const modelNames = new Map(typed.map(({ type, modelName }) => [type.name, modelName]));
  const typeNames = new Map(typed.map(({ type, modelName }) => [modelName, type.name]));
  const modelNameOf = (typeName: string) => modelNames.get(typeName);
  const relations = typed.flatMap((model) =>
    missing.has(model)
      ? draftRelations(graphQLSchema, model, modelNameOf)
      : hostRelations(graphQLSchema, model, modelNameOf, associationsOf(mirageSchema, model))
  );
  const inverses = deriveInverses(relations, stemsWith(mirageSchema, typeNames));
  for (const model of missing) {
    const own = relations.filter(({ owner }) => owner === model.modelName);
    registerModel(mirageSchema, model, own, inverses);
  }
}

function associationsOf(mirageSchema: MirageSchema, { modelName }: TypedModel) {
  return Object.values(mirageSchema.associationsFor(modelName));
}

function stemsWith(mirageSchema: MirageSchema, typeNames: ReadonlyMap<string, string>) {
  const singularize = (word: string) => mirageSchema.toModelName(word);
  return ({ name, targets: [target = ""] }: RelationDraft) =>
    nameStems(name, typeNames.get(target) ?? target, singularize);
}

function toModelMap(models: readonly MockModel[]): ModelMap {
  const byType = new Map(models.map((model) => [model.typeName, model]));
  const byModel = new Map(models.map((model) => [model.modelName, model]));
  return {
    models,
    ofType: (typeName) => byType.get(typeName),
    ofModel: (modelName) => byModel.get(modelName),
  };
}
