import type { GraphQLField, GraphQLObjectType } from "graphql";
import {
  isMirageCollection,
  isMirageModel,
  isObject,
  type MirageModel,
  type MirageRecord,
} from "../orm/mirage.ts";
import type { MockModel, Relation } from "../orm/models/model_map.ts";
import { type Orm, toMirageModel } from "../orm/orm.ts";
import { MockRecord, MODEL } from "../orm/records/record_store.ts";
import { keepsRelation } from "../orm/resolver_object.ts";
import { copyValue, isPlainObject, isPromiseLike, valueOf } from "../values.ts";
import { isList } from "../schema/type_shapes.ts";
import { NeedsGraphQLJs, type Resolve, type ResolverCall } from "./resolver_call.ts";

/** A relation that a field reads, and how to follow it. */
interface FieldRelation {
  readonly relation: Relation;
  readonly follow: Follow;
}

/**
 * Plans how to read one field of its sources, of whatever kind: the related records of a relation,
 * a property, or the result of a method. The reader returns `undefined` if a source has no value
 * for the field.
 */
export function createFieldReader(
  orm: Orm,
  model: MockModel | undefined,
  fieldName: string,
): Resolve {
  const found = model?.relations.get(fieldName);
  const relation = found && { relation: found, follow: createFollow(orm, found) };
  return (call) => {
    const { source } = call;
    if (!isObject(source)) return undefined;
    if (source instanceof MockRecord) {
      if (relation === undefined) return readRecord(orm, source, fieldName, call);
      return relation.follow(source[relation.relation.foreignKey]);
    }
    if (relation === undefined) return readProperty(source, fieldName, call);
    return readRelation(orm, relation, { call, source, model });
  };
}

/**
 * Continues with a value from a reader, after it has resolved if it is a promise.
 *
 * @throws {NeedsGraphQLJs} If a plan makes the call, and the value is more than data.
 */
export function thenMap(
  sourceValue: unknown,
  next: (sourceValue: unknown) => unknown,
  { isPlanned }: Pick<ResolverCall, "isPlanned">,
): unknown {
  if (isPlanned && !isData(sourceValue)) throw new NeedsGraphQLJs();
  return isPromiseLike(sourceValue) ? Promise.resolve(sourceValue).then(next) : next(sourceValue);
}

/**
 * A property of an object, or the result of its method of that name; other values have none.
 *
 * @throws {NeedsGraphQLJs} If a plan makes the call, and there is a method.
 */
export function readProperty(source: unknown, name: string, call: ResolverCall): unknown {
  if (!isObject(source)) return undefined;
  const value = valueOf(source, name);
  if (typeof value !== "function") return value;
  if (call.isPlanned) throw new NeedsGraphQLJs();
  return toResolved(value.call(source, call.args, call.context, call.info));
}

function readRecord(orm: Orm, record: MockRecord, fieldName: string, call: ResolverCall): unknown {
  const model = record[MODEL];
  if (!model.getters.has(fieldName)) return copyValue(valueOf(record, fieldName));
  if (call.isPlanned) throw new NeedsGraphQLJs();
  return readProperty(toMirageModel(orm, model, record), fieldName, call);
}

/** A call for an object that is not a record. */
interface ObjectCall {
  readonly call: ResolverCall;
  readonly source: Readonly<Record<string, unknown>>;
  readonly model: MockModel | undefined;
}

/**
 * A relation of a Mirage model or a plain object: its own property, its foreign key, or the foreign
 * key of the record that has its id.
 */
function readRelation(
  { store }: Orm,
  { relation, follow }: FieldRelation,
  { call, source, model }: ObjectCall,
): unknown {
  const key = source[relation.foreignKey];
  if (keepsRelation(source, relation.name)) return follow(key);
  if (isMirageModel(source) && !holdsRelated(source, relation)) return follow(key);
  const name = isMirageModel(source) ? relation.association : relation.name;
  const sourceValue = readProperty(source, name, call);
  if (sourceValue !== undefined) return sourceValue;
  if (key !== undefined) return follow(key);
  const { id } = source;
  if (id === undefined || id === null || model === undefined) return undefined;
  const record = store.of(model).find(id);
  return record && follow(record[relation.foreignKey]);
}

/** Whether a model has related models that are loaded, or set but not saved yet. */
function holdsRelated(
  { _tempAssociations: held }: MirageModel,
  { association }: Relation,
): boolean {
  return isObject(held) && isObject(held[association]);
}

/** The ids in a foreign key: plain ones, or the `{ type, id }` of polymorphic relations. */
export function foreignIds(key: unknown): readonly unknown[] {
  if (key === null || key === undefined) return [];
  return Array.isArray(key) ? key : [key];
}

/** Follows a foreign key to its records. */
export type Follow = (key: unknown) => unknown;

/**
 * Plans how to follow a relation. A list has the records in the order of the ids, without deleted
 * ones; a single relation has its record, or `null`.
 */
export function createFollow(orm: Orm, relation: Relation): Follow {
  const find = createFind(orm, relation);
  if (!relation.isList) {
    return (key) => key === null || key === undefined ? null : find(key) ?? null;
  }
  return (key) => {
    const records = foreignIds(key).map(find);
    return records.includes(undefined) ? records.filter((record) => record !== undefined) : records;
  };
}

type Find = (id: unknown) => MockRecord | undefined;

function createFind({ models, store }: Orm, { modelName }: Relation): Find {
  if (modelName === undefined) {
    return (key) => {
      if (!isObject(key) || typeof key.type !== "string") return undefined;
      const model = models.ofModel(key.type);
      return model && store.of(model).find(key.id);
    };
  }
  const model = models.ofModel(modelName);
  const reader = model && store.of(model);
  return (id) => reader?.find(id);
}

/** A relation of a type's records that leads to records of one model. */
export interface Related {
  readonly model: MockModel;
  readonly relation: Relation;
  /** The record with an id, which must not be changed. */
  readonly find: (id: unknown) => Readonly<MirageRecord> | undefined;
}

/** The relation that a field without arguments reads from records; `undefined` for other fields. */
export function createRelated(
  { models, store, conventions }: Orm,
  { name }: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): Related | undefined {
  const relation = models.ofType(name)?.relations.get(field.name);
  const model = models.ofModel(relation?.modelName ?? "");
  if (!relation || !model || relation.isList !== isList(field.type)) return undefined;
  // what is missing is generated by the resolver
  if (conventions.defaults === "generate") return undefined;
  const reader = store.of(model);
  return { model, relation, find: (id) => reader.own(id) };
}

/** An array, or the models of a Mirage collection; `undefined` for other values. */
export function toArray(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  return isMirageCollection(value) ? value.models : undefined;
}

/**
 * Makes the result of a user-defined resolver readable: a Mirage collection becomes a list, even
 * inside a list or a promise, and a `Response`, of Mirage or of fetch, is thrown, so that it
 * becomes the response to the whole request.
 */
export function toResolved(value: unknown): unknown {
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return value.some(isUnready) ? value.map(toResolved) : value;
  if (isPromiseLike(value)) return Promise.resolve(value).then(toResolved);
  if (isMirageCollection(value)) return value.models;
  if (typeof value.toRackResponse === "function" || value instanceof Response) throw value;
  return value;
}

function isUnready(item: unknown): boolean {
  return Array.isArray(item) || isMirageCollection(item) || isPromiseLike(item);
}

/**
 * Whether a value can be read repeatedly: records, plain objects, lists of these, and primitives
 * can; functions, promises and instances of user-defined classes can't.
 */
function isData(value: unknown): boolean {
  if (!isObject(value)) return typeof value !== "function";
  if (Array.isArray(value)) return value.every(isData);
  return (value instanceof MockRecord || isPlainObject(value)) && !isPromiseLike(value);
}

/**
 * The GraphQL type of a value: that of its model, or its `__typename`; `undefined` if it has
 * neither.
 */
export function typeNameOf(orm: Orm, value: unknown): string | undefined {
  const model = modelOf(orm, value);
  if (model !== undefined) return model.typeName;
  return isObject(value) && typeof value.__typename === "string" ? value.__typename : undefined;
}

/** The model of a record, or of an instance of a Mirage model. */
export function modelOf(orm: Orm, value: unknown): MockModel | undefined {
  if (value instanceof MockRecord) return value[MODEL];
  return isMirageModel(value) ? orm.models.ofModel(value.modelName) : undefined;
}
