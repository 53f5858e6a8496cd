import { keyOf } from "../../shared/names.ts";
import type { GraphQLSchema } from "graphql";
import { belongsTo, hasMany, Model } from "miragejs";
import { createShapeOf, type ShapeOf } from "../../schema/shapes.ts";
import {
  isMirageAssociation,
  type MirageAssociation,
  type MirageModelClass,
  type MirageSchema,
} from "../mirage/mirage_schema.ts";
import { ambiguityError, ambiguityLines } from "./ambiguity_error.ts";
import { isModelMember } from "./association_names.ts";
import { deriveInverses } from "./derive_inverses.ts";
import { type MockModel, type ModelMap, readModel } from "./model_map.ts";
import { modelNameFinder, registeredModels } from "../mirage/model_names.ts";
import { modelTypes } from "./model_types.ts";
import { nameModels, nameTables } from "./own_names.ts";
import { type Inverses, nameStems, type StemsOf } from "./pair_relations.ts";
import {
  draftRelations,
  type RelationDraft,
  type ShapedSchema,
  type TypedModel,
  userRelations,
} from "./relation_fields.ts";

/** How models are derived. */
export interface ModelOptions {
  /**
   * Whether relations that could be paired in several ways are an error.
   * @default {false}
   */
  readonly strict?: boolean;
  /**
   * Whether a list that is named after its type alone is the inverse of the only to-one relation.
   * @default {false}
   */
  readonly byPlural?: boolean;
  /**
   * What the types of the schema are.
   * @default {createShapeOf(graphQLSchema)}
   */
  readonly shapeOf?: ShapeOf;
}

/**
 * Ensures that each type of the GraphQL schema that needs a Mirage model has one, and returns them.
 * User-defined models are not changed; missing ones are registered with the relations of their
 * type, each with an explicit inverse. Calling it again changes nothing.
 *
 * A model's only relation with itself has no inverse: it is read as it was written.
 *
 * @throws {RangeError} If Mirage can't hold two user-defined models, or if inverses are ambiguous
 * and that is an error; no model is registered then.
 * @throws {TypeError} If the mock schema belongs to another copy of Mirage.
 */
export function ensureModels(
  graphQLSchema: GraphQLSchema,
  mirageSchema: MirageSchema,
  options: ModelOptions = {},
): ModelMap {
  const { strict = false, byPlural = false, shapeOf = createShapeOf(graphQLSchema) } = options;
  const registered = registeredModels(mirageSchema);
  const findModelName = modelNameFinder(registered);
  const types = modelTypes(graphQLSchema, shapeOf, (name) => findModelName(name) !== undefined);
  const typed = nameModels(mirageSchema, types, registered);
  const known = new Set(registered);
  const missing = new Set(typed.filter(({ modelName }) => !known.has(modelName)));
  checkTables(mirageSchema, typed, registered);
  const ambiguous: string[] = [];
  if (missing.size > 0) {
    const relations = relationsOf({ graphQLSchema, shapeOf }, mirageSchema, typed, missing);
    const pairings = deriveInverses(relations, stemsWith(mirageSchema), { byPlural });
    if (strict && pairings.ambiguous.length > 0) throw ambiguityError(pairings, relations);
    nameTables(mirageSchema, [...missing], registered);
    registerMissing(mirageSchema, missing, { relations, inverses: pairings.inverses });
    ambiguous.push(...ambiguityLines(pairings));
  }
  const models = typed.map((model) => readModel(mirageSchema, model));
  for (const model of models) {
    protectMembers(mirageSchema.modelClassFor(model.modelName), model);
  }
  return toModelMap(models, ambiguous);
}

function relationsOf(
  shaped: ShapedSchema,
  mirageSchema: MirageSchema,
  typed: readonly TypedModel[],
  missing: ReadonlySet<TypedModel>,
): RelationDraft[] {
  const modelNames = new Map(typed.map(({ type, modelName }) => [type.name, modelName]));
  const modelNameOf = (typeName: string) => modelNames.get(typeName);
  return typed.flatMap((model) => {
    if (missing.has(model)) return draftRelations(shaped, model, modelNameOf);
    const associations = Object.values(mirageSchema.associationsFor(model.modelName));
    return userRelations(shaped, model, modelNameOf, associations);
  });
}

/** Registers the missing models, after all of them have been derived. */
function registerMissing(
  mirageSchema: MirageSchema,
  missing: ReadonlySet<TypedModel>,
  derived: { readonly relations: readonly RelationDraft[]; readonly inverses: Inverses },
): void {
  const byOwner = new Map(
    Array.from(missing, ({ modelName }) => [modelName, Array<RelationDraft>()]),
  );
  for (const relation of derived.relations) byOwner.get(relation.owner)?.push(relation);
  for (const [modelName, own] of byOwner) {
    registerModel(mirageSchema, modelName, toAssociations(own, derived.inverses));
  }
}

function stemsWith(mirageSchema: MirageSchema): StemsOf {
  // Mirage looks words up in a plain object, which has a function for "constructor"
  const singularize = (word: string) =>
    word in Object.prototype ? word : mirageSchema.toModelName(word);
  return ({ name, targets }) => nameStems(name, targets.join("-"), singularize);
}

function toModelMap(models: readonly MockModel[], ambiguous: readonly string[]): ModelMap {
  const byType = new Map(models.map((model) => [model.typeName, model]));
  const byModel = new Map(models.map((model) => [model.modelName, model]));
  const byKey = new Map(models.map((model) => [keyOf(model.modelName), model]));
  return {
    models,
    ambiguous,
    ofType: (typeName) => byType.get(typeName),
    // The name that the record was created with: `server.create("version_2")`.
    ofModel: (modelName) => byModel.get(modelName) ?? byKey.get(keyOf(modelName)),
  };
}

/** Mirage's associations for a model's relations: each has an inverse, or `inverse: null`. */
function toAssociations(
  relations: readonly RelationDraft[],
  inverses: Inverses,
): Record<string, MirageAssociation> {
  return Object.fromEntries(relations.map((relation) => {
    const { association: name } = relation;
    const association = toAssociation(relation, inverses.get(relation)?.association ?? null);
    return [name, Object.assign(association, { name })];
  }));
}

function toAssociation(relation: RelationDraft, inverse: string | null): MirageAssociation {
  const { isList, isPolymorphic, targets, name: field } = relation;
  const modelName = isPolymorphic ? undefined : targets[0];
  const isRenamed = relation.association !== field;
  const options = { inverse, polymorphic: isPolymorphic, ...(isRenamed && { field }) };
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

/** Tables whose accessor, `db._collections`, would overwrite a member of Mirage's database. */
const OVERWRITTEN = new Set(["collections", "identityManagers"]);

/**
 * Rejects user-defined models whose table hides a member of Mirage's database. Models that the
 * library registers get separate tables.
 *
 * @param registered The models that are already registered.
 * @throws {RangeError} It names the type or model, and the table.
 */
function checkTables(
  mirageSchema: MirageSchema,
  typed: readonly TypedModel[],
  registered: readonly string[],
): void {
  for (const modelName of registered) {
    const table = mirageSchema.toCollectionName(modelName);
    if (!OVERWRITTEN.has(table)) continue;
    const type = typed.find((one) => one.modelName === modelName)?.type;
    const label = type === undefined ? `the model "${modelName}"` : `the type "${type.name}"`;
    throw new RangeError(
      `Cannot keep ${label} in Mirage: the name "${table}" of its table is Mirage's own. ` +
        "Give createServer() an `inflector` whose pluralize() returns another one",
    );
  }
}

const STEPS = ["_validateAttr", "_setupAttr", "_setupRelationship"] as const;

/**
 * Keeps the members of Mirage's models whatever the fields of a type are named: an attribute such as
 * `attrs` or `toString` is only in `attrs`, where Mirage would replace its own member; and a
 * relation such as `constructor`, whose association has another name, can be set under its own:
 * `server.create("person", { constructor: post })`.
 *
 * @param prototype That of the model's class, which each server has for itself.
 */
function protectMembers(prototype: MirageModelClass, { relations }: MockModel): void {
  if (Object.hasOwn(prototype, STEPS[0])) return;
  const taken = new Set(
    Array.from(relations.values(), ({ association, foreignKey }) => [association, foreignKey])
      .flat(),
  );
  const nameOf = (name: string) =>
    taken.has(name) ? name : relations.get(name)?.association ?? name;
  for (const step of STEPS) {
    const own = prototype[step];
    prototype[step] = function (this: MirageModelClass, name, value) {
      own.call(this, nameOf(name), value);
    };
  }
  const define = prototype._definePlainAttribute;
  prototype._definePlainAttribute = function (this: MirageModelClass, name) {
    if (name === "id" || !isModelMember(name)) define.call(this, name);
  };
}
