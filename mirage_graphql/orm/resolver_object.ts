import { isMirageCollection, isObject, type MirageModel } from "./mirage.ts";
import type { MockModel, Relation } from "./models/model_map.ts";
import { type Orm, toMirageModel } from "./orm.ts";
import { MockRecord, MODEL } from "./records/record_store.ts";
import { copyRecord, isPromiseLike } from "./values.ts";

const RECORD_VIEW = Symbol("the record that the host is shown");

/** What the host's code gets to see of a record that has relations or getters. */
interface RecordObject {
  /** A function, as proxies such as those of Vue's `reactive()` make others of objects. */
  readonly [RECORD_VIEW]: () => RecordView;
}

/** Method of objects that hold records and know how to show themselves to the host's code. */
export const TO_RESOLVER_VALUE: unique symbol = Symbol("show to the host");

/** Shows a value to the host's code. */
export type ToResolverValue = (value: unknown) => unknown;

/** An object that holds records, such as a page of them. */
export interface Convertible {
  /** What the host's code gets to see, its records shown with the function. */
  [TO_RESOLVER_VALUE](show: ToResolverValue): unknown;
}

/**
 * Shows a value to the host's code: a record as an object with its attributes, its `__typename`, and
 * its relations as Mirage's models and collections; so are the records in lists and pages, and the
 * promised ones. Other values stay what they are.
 */
export function toResolverValue(orm: Orm, value: unknown): unknown {
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return value.map((item) => toResolverValue(orm, item));
  if (value instanceof MockRecord) return toRecordObject(orm, value);
  if (isConvertible(value)) return value[TO_RESOLVER_VALUE]((held) => toResolverValue(orm, held));
  return isPromiseLike(value) ? value.then((settled) => toResolverValue(orm, settled)) : value;
}

/** Tells an object that holds records. */
export function isConvertible(value: object): value is Convertible {
  return TO_RESOLVER_VALUE in value;
}

/**
 * Whether an object shows a record and the host has not replaced what it says of the relation, so
 * that its foreign key may be followed without Mirage's models.
 */
export function keepsRelation(value: object, name: string): boolean {
  return isRecordObject(value) && !value[RECORD_VIEW]().replaced.has(name);
}

function isRecordObject(value: object): value is RecordObject {
  return Object.hasOwn(value, RECORD_VIEW);
}

/** Getters are the object's own and enumerable, so that a spread of it is whole. */
function toRecordObject(orm: Orm, record: MockRecord): object {
  const model = record[MODEL];
  const object = copyRecord(record);
  object.__typename = model.typeName;
  if (model.getters.size === 0 && model.relations.size === 0) return object;
  const shown = new RecordView(orm, record);
  Object.defineProperty(object, RECORD_VIEW, { value: () => shown });
  for (const [name, property] of lazyProperties(model)) {
    Object.defineProperty(object, name, property);
  }
  return object;
}

/** The record behind an object: its Mirage model is made when something asks for it. */
class RecordView {
  /** Names of relations and getters that the host has set to values of its own. */
  readonly replaced = new Set<string>();
  readonly #orm: Orm;
  readonly #record: MockRecord;
  #mirageModel: MirageModel | undefined;
  #related: Map<string, unknown> | undefined;

  constructor(orm: Orm, record: MockRecord) {
    this.#orm = orm;
    this.#record = record;
  }

  get mirageModel(): MirageModel {
    return this.#mirageModel ??= toMirageModel(this.#orm, this.#record[MODEL], this.#record);
  }

  /** What a relation leads to; the same object each time. */
  related(relation: Relation): unknown {
    const known = this.#related?.get(relation.name);
    if (known !== undefined) return known;
    const related = relatedModels(this.#orm, this.mirageModel, relation);
    this.#related ??= new Map();
    this.#related.set(relation.name, related);
    return related;
  }
}

type LazyProperties = ReadonlyMap<string, PropertyDescriptor>;

const propertiesByModel = new WeakMap<MockModel, LazyProperties>();

/**
 * The properties of all objects of a model that are read when they are asked for. Their functions
 * are the same ones each time, so that V8 gives the objects one shape.
 */
function lazyProperties(model: MockModel): LazyProperties {
  const known = propertiesByModel.get(model);
  if (known !== undefined) return known;
  const properties = new Map<string, PropertyDescriptor>();
  for (const name of model.getters) {
    properties.set(name, lazyProperty(name, ({ mirageModel }) => mirageModel[name]));
  }
  for (const [name, relation] of model.relations) {
    properties.set(name, lazyProperty(name, (shown) => shown.related(relation)));
  }
  propertiesByModel.set(model, properties);
  return properties;
}

/** A property that is read when it is asked for, and can be set to a value. */
function lazyProperty(name: string, read: (shown: RecordView) => unknown): PropertyDescriptor {
  return {
    enumerable: true,
    configurable: true,
    get(this: RecordObject) {
      return read(this[RECORD_VIEW]());
    },
    set(this: RecordObject, value: unknown) {
      this[RECORD_VIEW]().replaced.add(name);
      const plain = { value, enumerable: true, writable: true, configurable: true };
      Object.defineProperty(this, name, plain);
    },
  };
}

/**
 * What a relation of a model leads to, as Mirage has it: a collection, a model, or `null`. The
 * records are found by the index of their table, where Mirage would search the table for each id.
 */
function relatedModels(orm: Orm, model: MirageModel, relation: Relation): unknown {
  const key = model.attrs[relation.foreignKey];
  if (relation.isList) return toCollection(orm, model, relation, Array.isArray(key) ? key : []);
  if (key === null || key === undefined) return null;
  return relatedModel(orm, relation, key) ?? model[relation.name];
}

function toCollection(
  orm: Orm,
  model: MirageModel,
  relation: Relation,
  ids: readonly unknown[],
): unknown {
  const models = ids.map((id) => relatedModel(orm, relation, id));
  if (!models.every((related) => related !== undefined)) return model[relation.name];
  const collection = emptyCollection(orm, model, relation);
  if (!isMirageCollection(collection)) return collection;
  for (const related of models) collection.models.push(related);
  return collection;
}

/** Mirage's collections of several models are made by its models alone. */
function emptyCollection(
  { mirageSchema }: Orm,
  model: MirageModel,
  { modelName, name, foreignKey }: Relation,
): unknown {
  if (modelName !== undefined) return mirageSchema.none(modelName);
  return mirageSchema.new(model.modelName, { [foreignKey]: [] })[name];
}

/** The model of an id; `undefined` where no GraphQL type tells which records the model has. */
function relatedModel(
  orm: Orm,
  { modelName }: Relation,
  key: unknown,
): MirageModel | undefined {
  const named = modelName === undefined && isObject(key) ? key : { type: modelName, id: key };
  const model = typeof named.type === "string" ? orm.models.ofModel(named.type) : undefined;
  const record = model && orm.store.of(model).find(named.id);
  return model && record && toMirageModel(orm, model, record);
}
