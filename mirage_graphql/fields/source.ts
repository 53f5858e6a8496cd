import {
  getNamedType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  isCompositeType,
  isObjectType,
} from "graphql";
import { NeedsGraphQLJs, type Resolve, type ResolverCall } from "../arguments/call.ts";
import {
  isMirageCollection,
  isMirageModel,
  type MirageModel,
} from "../orm/mirage/mirage_schema.ts";
import { isModelMember } from "../orm/models/association_names.ts";
import type { MockModel, Relation } from "../orm/models/model_map.ts";
import { type Orm, toMirageModel } from "../orm/orm.ts";
import { MockRecord, MODEL } from "../orm/records/record_store.ts";
import { createFollow, type Follow } from "../orm/records/related.ts";
import { keepsRelation, methodOwner } from "../orm/resolver_object.ts";
import {
  copyValue,
  isObject,
  isPlainObject,
  isPromiseLike,
  propertyOf,
  valueOf,
} from "../shared/values.ts";

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

/**
 * Resolves a field with the method of its source that has the field's name, if there is one. It has
 * used the arguments, so that nothing else uses them; `toResult` makes its value readable.
 */
export function withMethods(
  orm: Orm,
  { name, type }: GraphQLField<unknown, unknown>,
  resolve: Resolve,
  toResult: (value: unknown, args: ResolverCall["args"]) => unknown,
): Resolve {
  const named = getNamedType(type);
  // global ids are encoded, and pages of scalars are cut, whatever they come from
  if (named.name === "ID" || orm.shapeOf(named).kind === "scalar connection") return resolve;
  const isHidden = isModelMember(name);
  return (call) => {
    if (!isObject(call.source)) return resolve(call);
    const owner = methodOwner(orm, call.source, name);
    const isMember = owner === undefined || isHidden && isMirageModel(owner);
    const method: unknown = isMember ? undefined : propertyOf(owner, name)?.value;
    return typeof method === "function"
      ? toResult(method.call(owner, call.args, call.context, call.info), call.args)
      : resolve(call);
  };
}

/** Lets graphql-js call a resolver. */
export function toFieldResolver(resolve: Resolve): GraphQLFieldResolver<unknown, unknown> {
  return (source, args, context, info) => resolve({ source, args, context, info });
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

/** Paths of fields that belong to a record of a type without ids, while their operation runs. */
const ofRecords = new WeakSet<GraphQLResolveInfo["path"]>();

/** Whether a value is or shows a record: all have an `id`, also if their type has no such field. */
export function isRecord(value: unknown): boolean {
  return isObject(value) && "id" in value;
}

/** Notes which objects of a field belong to a record, if the type of the record doesn't tell. */
export function withRecordPath(
  orm: Orm,
  parentType: GraphQLObjectType,
  { type }: GraphQLField<unknown, unknown>,
  resolve: Resolve,
): Resolve {
  if (hasIds(orm, parentType) || !isCompositeType(getNamedType(type))) return resolve;
  return (call) => {
    if (!call.isPlanned && isRecord(call.source)) ofRecords.add(call.info.path);
    return resolve(call);
  };
}

/** Whether a record is among the objects around a field's source, up to the nearest query type. */
export function isBelowRecord(orm: Orm, { path }: GraphQLResolveInfo): boolean {
  const { graphQLSchema } = orm;
  for (let at = path.prev; at !== undefined; at = at.prev) {
    const type = graphQLSchema.getType(at.typename ?? "");
    if (type !== undefined && type === graphQLSchema.getQueryType()) return false;
    if (ofRecords.has(at) || hasIds(orm, type)) return true;
  }
  return false;
}

function hasIds({ models }: Orm, type: GraphQLNamedType | undefined): boolean {
  return isObjectType(type) &&
    (type.getFields().id ?? models.ofType(type.name)?.key) !== undefined;
}
