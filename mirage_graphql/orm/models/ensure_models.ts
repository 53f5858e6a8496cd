import type { GraphQLSchema } from "graphql";
import { belongsTo, hasMany, Model } from "miragejs";
import { isMirageAssociation, type MirageAssociation, type MirageSchema } from "../mirage.ts";
import { checkRelations, checkTables } from "./check_models.ts";
import { deriveInverses } from "./derive_inverses.ts";
import { type MockModel, type ModelMap, readModel } from "./model_map.ts";
import { modelNameFinder, nameKey, registeredModels, toModelName } from "./model_names.ts";
import { modelTypes } from "./model_types.ts";
import { type Inverses, nameStems, type StemsOf } from "./pair_relations.ts";
import {
  draftRelations,
  type RelationDraft,
  type TypedModel,
  userRelations,
} from "./relation_fields.ts";

/**
 * Ensures that each type of the GraphQL schema that needs a Mirage model has one, and returns them.
 * User-defined models stay as they are; missing ones are registered with the relations of their
 * type, each with an explicit inverse. Calling it again changes nothing.
 *
 * A model's only relation with itself has no inverse: what is written to it is what is read.
 *
 * @throws {RangeError} If inverses are ambiguous, or if Mirage can't hold a type or a field; no
 * model is registered then.
 * @throws {TypeError} If the mock schema belongs to another copy of Mirage.
 */
export function ensureModels(graphQLSchema: GraphQLSchema, mirageSchema: MirageSchema): ModelMap {
  const registered = registeredModels(mirageSchema);
  const findModelName = modelNameFinder(registered);
  const typed = modelTypes(graphQLSchema, (name) => findModelName(name) !== undefined)
    .map((type) => ({ type, modelName: findModelName(type.name) ?? toModelName(type.name) }));
  const missing = new Set(typed.filter(({ modelName }) => !registered.includes(modelName)));
  checkTables(mirageSchema, typed, registered);
  if (missing.size > 0) {
    const relations = relationsOf(graphQLSchema, mirageSchema, typed, missing);
    registerMissing(mirageSchema, missing, relations);
  }
  return toModelMap(typed.map((model) => readModel(mirageSchema, model)));
}

function relationsOf(
  graphQLSchema: GraphQLSchema,
  mirageSchema: MirageSchema,
  typed: readonly TypedModel[],
  missing: ReadonlySet<TypedModel>,
): RelationDraft[] {
  const modelNames = new Map(typed.map(({ type, modelName }) => [type.name, modelName]));
  const modelNameOf = (typeName: string) => modelNames.get(typeName);
  return typed.flatMap((model) => {
    if (missing.has(model)) return draftRelations(graphQLSchema, model, modelNameOf);
    const associations = Object.values(mirageSchema.associationsFor(model.modelName));
    return userRelations(graphQLSchema, model, modelNameOf, associations);
  });
}

/** Registers the missing models, after all of them have been checked. */
function registerMissing(
  mirageSchema: MirageSchema,
  missing: ReadonlySet<TypedModel>,
  relations: readonly RelationDraft[],
): void {
  const inverses = deriveInverses(relations, stemsWith(mirageSchema));
  const models = Array.from(missing, ({ type, modelName }) => {
    const own = relations.filter(({ owner }) => owner === modelName);
    const associations = toAssociations(own, inverses);
    checkRelations(type.name, Object.values(associations));
    return [modelName, associations] as const;
  });
  for (const [modelName, associations] of models) {
    registerModel(mirageSchema, modelName, associations);
  }
}

function stemsWith(mirageSchema: MirageSchema): StemsOf {
  const singularize = (word: string) => mirageSchema.toModelName(word);
  return ({ name, targets }) => nameStems(name, targets.join("-"), singularize);
}

function toModelMap(models: readonly MockModel[]): ModelMap {
  const byType = new Map(models.map((model) => [model.typeName, model]));
  const byModel = new Map(models.map((model) => [model.modelName, model]));
  const byKey = new Map(models.map((model) => [nameKey(model.modelName), model]));
  return {
    models,
    ofType: (typeName) => byType.get(typeName),
    // A record has the name that it was created with: `server.create("version_2")`.
    ofModel: (modelName) => byModel.get(modelName) ?? byKey.get(nameKey(modelName)),
  };
}

/** Mirage's associations for a model's relations: each has an inverse, or `inverse: null`. */
function toAssociations(
  relations: readonly RelationDraft[],
  inverses: Inverses,
): Record<string, MirageAssociation> {
  return Object.fromEntries(relations.map((relation) => {
    const association = toAssociation(relation, inverses.get(relation)?.name ?? null);
    return [relation.name, Object.assign(association, { name: relation.name })];
  }));
}

function toAssociation(relation: RelationDraft, inverse: string | null): MirageAssociation {
  const { isList, isPolymorphic, targets } = relation;
  const modelName = isPolymorphic ? undefined : targets[0];
  const options = { inverse, polymorphic: isPolymorphic };
  const association: unknown = isList ? hasMany(modelName, options) : belongsTo(modelName, options);
  if (isMirageAssociation(association)) return association;
  throw new TypeError(
    `Cannot use "miragejs": its belongsTo() and hasMany() return no associations`,
  );
}

/**
 * Registers a model with its associations.
 *
 * @throws {TypeError} If Mirage doesn't see the associations: the schema belongs to another copy of
 * Mirage, such as one that a bundler includes a second time.
 */
function registerModel(
  mirageSchema: MirageSchema,
  modelName: string,
  associations: Readonly<Record<string, MirageAssociation>>,
): void {
  mirageSchema.registerModel(modelName, Model.extend(associations));
  const registered = mirageSchema.associationsFor(modelName);
  const missing = Object.keys(associations).find((name) => !(name in registered));
  if (missing === undefined) return;
  throw new TypeError(
    `Cannot register "${missing}" of the model "${modelName}": the mock schema is of another copy ` +
      'of "miragejs" than the one that this library imports',
  );
}
