import { keyOf } from "../../shared/names.ts";
import type { GraphQLObjectType, GraphQLSchema } from "graphql";
import { fieldOf, isIdType } from "../../schema/types.ts";
import { fieldNameOf, type MirageSchema } from "../mirage/mirage_schema.ts";

import type { TypedModel } from "./relation_fields.ts";

/** A relation between two models, as in Mirage's association. */
export interface Relation {
  /** Name of the field. */
  readonly name: string;
  /** Name of Mirage's association, which is nearly always that of the field. */
  readonly association: string;
  /** Whether it leads to many records. */
  readonly isList: boolean;
  /** Attribute with the id or the ids; those of polymorphic relations are `{ type, id }`. */
  readonly foreignKey: string;
  /** Dasherized name of the model it leads to; `undefined` if polymorphic. */
  readonly modelName: string | undefined;
}

/** A GraphQL object type and the Mirage model that contains its records. */
export interface MockModel {
  /** The GraphQL type's own name, in its own casing. */
  readonly typeName: string;
  /** Mirage's dasherized name, such as `blog-post`. */
  readonly modelName: string;
  /** Name of the table in the database, such as `blogPosts`. */
  readonly collectionName: string;
  /** Relations by field name. */
  readonly relations: ReadonlyMap<string, Relation>;
  /** Names of the getters and methods that a user-defined model class adds. */
  readonly getters: ReadonlySet<string>;
  /** The field that identifies its records instead of an `id` of type `ID`. */
  readonly key: RecordKey | undefined;
}

/** A field such as `documentId: ID!` of a type whose `id` is not an `ID`. */
export interface RecordKey {
  readonly name: string;
  /** Whether it contains the type too, as `nodeId: ID!` next to `id: Int!` does. */
  readonly isGlobal: boolean;
}

/** Which model contains the records of which type. */
export interface ModelMap {
  /** The model of a GraphQL type; `undefined` for abstract, embedded, payload and Relay types. */
  ofType(typeName: string): MockModel | undefined;
  /** The model of a dasherized Mirage name. */
  ofModel(modelName: string): MockModel | undefined;
  /** All of them, in the order of the GraphQL schema. */
  readonly models: readonly MockModel[];
  /**
   * The relations that were derived without an inverse because there are several candidates: a line
   * for each, with the association that would pair it.
   */
  readonly ambiguous: readonly string[];
}

/** Reads the model that Mirage has registered for a type. */
export function readModel(mirageSchema: MirageSchema, { type, modelName }: TypedModel): MockModel {
  const associations = Object.values(mirageSchema.associationsFor(modelName));
  const relations = associations.map((association): Relation => ({
    name: fieldNameOf(association),
    association: association.name,
    isList: association.type === "hasMany",
    foreignKey: association.foreignKey,
    modelName: association.isPolymorphic ? undefined : association.modelName,
  }));
  return {
    typeName: type.name,
    modelName,
    collectionName: mirageSchema.toCollectionName(modelName),
    relations: new Map(relations.map((relation) => [relation.name, relation])),
    getters: userGetters(mirageSchema.modelClassFor(modelName)),
    key: recordKeyOf(type, relations),
  };
}

/**
 * The only `ID!` of a type; one next to an `id` of another type only if an interface requires it.
 */
function recordKeyOf(
  type: GraphQLObjectType,
  relations: readonly Relation[],
): RecordKey | undefined {
  const fields = type.getFields();
  const { id } = fields;
  if (id !== undefined && isIdType(id.type)) return undefined;
  const isForeign = (name: string) =>
    relations.some(({ foreignKey }) => keyOf(foreignKey) === keyOf(name));
  const [key, ...others] = Object.values(fields)
    .filter(({ name, type }) => String(type) === "ID!" && !isForeign(name));
  if (key === undefined || others.length > 0) return undefined;
  const isShared = type.getInterfaces().some((one) => one.getFields()[key.name] !== undefined);
  return id === undefined || isShared ? { name: key.name, isGlobal: id !== undefined } : undefined;
}

/**
 * Names of the getters and methods that user-defined classes add to Mirage's model:
 * `class Person extends Model { get fullName() {...} }`. A getter in `Model.extend({...})` doesn't
 * count: Mirage reads it once, when it creates the class.
 *
 * @param prototype That of the class which Mirage derives from the user's, with Mirage's additions.
 */
function userGetters(prototype: object): ReadonlySet<string> {
  const [, ...chain] = chainOf(prototype);
  const names = chain.slice(0, -1).flatMap((one) =>
    Object.entries(Object.getOwnPropertyDescriptors(one))
      .filter(([name, { get, value }]) =>
        name !== "constructor" && (get !== undefined || typeof value === "function")
      )
      .map(([name]) => name)
  );
  return new Set(names);
}

/** The prototype chain, up to Mirage's base class, which extends nothing. */
function chainOf(prototype: object): object[] {
  const chain: object[] = [];
  let next: object | null = prototype;
  while (next !== null && next !== Object.prototype) {
    chain.push(next);
    next = Object.getPrototypeOf(next);
  }
  return chain;
}

/** Whether records of a model have a value of this name: `id`, a relation, or a field of the type. */
export function hasField(graphQLSchema: GraphQLSchema, model: MockModel, name: string): boolean {
  return name === "id" || relationNamed(model, name) !== undefined ||
    fieldOf(graphQLSchema, model.typeName, name) !== undefined;
}

/** The relations of a model that lead to records of one other model. */
export function relationsTo({ relations }: MockModel, { modelName }: MockModel): Relation[] {
  return [...relations.values()].filter((relation) => relation.modelName === modelName);
}

/**
 * The only relation of a model, to one record or to a list, that leads to another model; of several,
 * the one that is named after the other type alone.
 */
export function relationTo(
  model: MockModel,
  other: MockModel,
  isList: boolean,
): Relation | undefined {
  const relations = relationsTo(model, other).filter((relation) => relation.isList === isList);
  const [first, ...others] = relations;
  if (others.length === 0) return first;
  const keys = [other.typeName, other.collectionName].map(keyOf);
  return relations.find(({ name }) => keys.includes(keyOf(name).replace(/(connection|list)$/, "")));
}

const found = new WeakMap<MockModel, Map<string, Relation | undefined>>();

/**
 * The relation of a model that a name refers to: by its own name, by its foreign key, or by the
 * foreign key in another casing, as schemas write it: `author_id` is Mirage's `authorId`.
 */
export function relationNamed(model: MockModel, name: string): Relation | undefined {
  const known = found.get(model) ?? new Map<string, Relation | undefined>();
  found.set(model, known);
  if (!known.has(name)) known.set(name, findRelation(model, name));
  return known.get(name);
}

function findRelation({ relations }: MockModel, name: string): Relation | undefined {
  const all = [...relations.values()];
  const key = keyOf(name);
  return relations.get(name) ?? all.find(({ foreignKey }) => foreignKey === name) ??
    all.find(({ foreignKey }) => keyOf(foreignKey) === key) ??
    // the association of a relation `constructor` has the key `constructorRelationId`
    all.find(({ foreignKey }) => keyOf(foreignKey.replace("Relation", "")) === key);
}
