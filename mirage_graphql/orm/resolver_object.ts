import { isMirageCollection, type MirageModel } from "./mirage/mirage_schema.ts";
import type { MockModel, Relation } from "./models/model_map.ts";
import { type Orm, toMirageModel } from "./orm.ts";
import { isConvertible, MockRecord, MODEL, TO_RESOLVER_VALUE } from "./records/record_store.ts";
import { copyRecord, isObject, isPromiseLike } from "../shared/values.ts";

const RECORD_VIEW = Symbol("record view");

/** What user-defined code receives for a record that has relations or getters. */
interface RecordObject {
  /** A function, because proxies such as Vue's `reactive()` wrap objects. */
  readonly [RECORD_VIEW]: () => RecordView;
}

/**
 * Converts a value to what user-defined code receives: a record becomes an object with its
 * attributes, its `__typename`, and its relations as Mirage's models and collections. This includes
 * records in lists, in pages and in promises. Other values are returned as they are.
 */
export function toResolverValue(orm: Orm, value: unknown): unknown {
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return value.map((item) => toResolverValue(orm, item));
  if (value instanceof MockRecord) return toRecordObject(orm, value);
  if (isConvertible(value)) return value[TO_RESOLVER_VALUE]((held) => toResolverValue(orm, held));
  return isPromiseLike(value) ? value.then((settled) => toResolverValue(orm, settled)) : value;
}

/**
 * Whether an object represents a record and user-defined code has not replaced the relation, so
 * that the foreign key can be followed without Mirage's models.
 */
export function keepsRelation(value: object, name: string): value is RecordObject {
  return isRecordObject(value) && !value[RECORD_VIEW]().replaced.has(name);
}

/**
 * The object that may have a method of a name: a record, and the object that represents it, have
 * those of their model's class. `undefined` if there is none.
 */
export function methodOwner(orm: Orm, source: unknown, name: string): object | undefined {
  if (!isObject(source)) return undefined;
  if (source instanceof MockRecord) {
    const model = source[MODEL];
    return model.getters.has(name) ? toMirageModel(orm, model, source) : undefined;
  }
  if (!keepsRelation(source, name)) return source;
  const shown = source[RECORD_VIEW]();
  return shown.model.getters.has(name) ? shown.mirageModel : undefined;
}

function isRecordObject(value: object): value is RecordObject {
  return Object.hasOwn(value, RECORD_VIEW);
}

/** Getters are own and enumerable properties, so that a spread of the object is complete. */
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

/** The record behind an object; its Mirage model is created on demand. */
class RecordView {
  /** Names of relations and getters that user-defined code has set to other values. */
  readonly replaced = new Set<string>();
  readonly #orm: Orm;
  readonly #record: MockRecord;
  #mirageModel: MirageModel | undefined;
  #related: Map<string, unknown> | undefined;

  constructor(orm: Orm, record: MockRecord) {
    this.#orm = orm;
    this.#record = record;
  }

  get model(): MockModel {
    return this.#record[MODEL];
  }

  get mirageModel(): MirageModel {
    return this.#mirageModel ??= toMirageModel(this.#orm, this.#record[MODEL], this.#record);
  }

  /** The value of a relation; the same object each time. */
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
 * The properties that all objects of a model read on demand. Their functions are shared, so that
 * all objects have one shape in V8.
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

/** A property that is read on demand, and can be set to a value. */
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
 * The value of a model's relation, as Mirage returns it: a collection, a model, or `null`. Records
 * are found by the index of their table; Mirage would search the table for each id.
 */
function relatedModels(orm: Orm, model: MirageModel, relation: Relation): unknown {
  const key = model.attrs[relation.foreignKey];
  if (relation.isList) return toCollection(orm, model, relation, Array.isArray(key) ? key : []);
  if (key === null || key === undefined) return null;
  return relatedModel(orm, relation, key) ?? model[relation.association];
}

function toCollection(
  orm: Orm,
  model: MirageModel,
  relation: Relation,
  ids: readonly unknown[],
): unknown {
  const models = ids.map((id) => relatedModel(orm, relation, id));
  if (!models.every((related) => related !== undefined)) return model[relation.association];
  const collection = emptyCollection(orm, model, relation);
  if (!isMirageCollection(collection)) return collection;
  for (const related of models) collection.models.push(related);
  return collection;
}

/** Only Mirage's models can create collections of several models. */
function emptyCollection(
  { mirageSchema }: Orm,
  model: MirageModel,
  { modelName, association, foreignKey }: Relation,
): unknown {
  if (modelName !== undefined) return mirageSchema.none(modelName);
  return mirageSchema.new(model.modelName, { [foreignKey]: [] })[association];
}

/** The model of an id; `undefined` if no GraphQL type says which records the model has. */
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
