import type { MirageSchema } from "../mirage.ts";
import { nameKey } from "./model_names.ts";
import type { TypedModel } from "./relation_fields.ts";

/** A relation between two models, as Mirage's association has it. */
export interface Relation {
  /** Name of the association, which is the name of the field. */
  readonly name: string;
  /** Whether it leads to many records. */
  readonly isList: boolean;
  /** Attribute that holds the id or the ids; polymorphic ones hold `{ type, id }`. */
  readonly foreignKey: string;
  /** Dasherized name of the model it leads to; `undefined` where polymorphic. */
  readonly modelName: string | undefined;
}

/** A GraphQL object type and the Mirage model that holds its records. */
export interface MockModel {
  /** The GraphQL type's own name, in its own casing. */
  readonly typeName: string;
  /** Mirage's dasherized name, such as `blog-post`. */
  readonly modelName: string;
  /** Name of the table in the database, such as `blogPosts`. */
  readonly collectionName: string;
  /** Relations by field name. */
  readonly relations: ReadonlyMap<string, Relation>;
  /** Names of getters and methods that the host's model class adds. */
  readonly getters: ReadonlySet<string>;
}

/** Which type's records stand in which model. */
export interface ModelMap {
  /** The model of a GraphQL type; `undefined` for abstract, embedded, payload and Relay types. */
  ofType(typeName: string): MockModel | undefined;
  /** The model of a dasherized Mirage name. */
  ofModel(modelName: string): MockModel | undefined;
  /** All of them, in the order of the GraphQL schema. */
  readonly models: readonly MockModel[];
}

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
    getters: userGetters(mirageSchema.modelClassFor(modelName)),
  };
}

/**
 * Names of the getters and methods that the host's classes add to Mirage's model:
 * `class Person extends Model { get fullName() {...} }`. A getter in `Model.extend({...})` is none:
 * Mirage reads it once, when the class is made.
 *
 * @param prototype Of the class that Mirage made of the host's; Mirage's own additions stand there.
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

/** The prototypes from the given one to the one of Mirage's base class, which extends nothing. */
function chainOf(prototype: object): object[] {
  const chain: object[] = [];
  let next: object | null = prototype;
  while (next !== null && next !== Object.prototype) {
    chain.push(next);
    next = Object.getPrototypeOf(next);
  }
  return chain;
}

const found = new WeakMap<MockModel, Map<string, Relation | undefined>>();

/**
 * The relation of a model that a name means: the relation's own, its foreign key's, or that of the
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
  return relations.get(name) ?? all.find(({ foreignKey }) => foreignKey === name) ??
    all.find(({ foreignKey }) => nameKey(foreignKey) === nameKey(name));
}
