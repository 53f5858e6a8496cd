import { copyValue } from "../orm/values.ts";
import { showsRelation } from "../orm/resolver_object.ts";
import { isData } from "../orm/is_data.ts";
import { isPromiseLike } from "../orm/is_promise_like.ts";
import { isMirageModel, isObject, type MirageModel } from "../orm/mirage.ts";
import type { MockModel, Relation } from "../orm/models/model_map.ts";
import { type Orm, toMirageModel } from "../orm/orm.ts";
import { MockRecord, MODEL } from "../orm/records/record_store.ts";
import type { FieldCall, Resolve } from "./resolver_call.ts";
import { NeedsGraphQLJs } from "./needs_graphql_js.ts";
import { createFollow, type Follow } from "./related.ts";
import { toResolved } from "./resolved.ts";

/** A relation that a field reads, and how to follow it. */
interface FieldRelation {
  readonly relation: Relation;
  readonly follow: Follow;
}

/**
 * Plans how to read one field of its parents, whatever kind of parent they are: the related records
 * of a relation, a property, or what a method returns. The reader returns `undefined` where a parent
 * says nothing of the field.
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
 * Goes on with what a reader returned, once it is there.
 *
 * @throws {NeedsGraphQLJs} Where a plan calls, and what was read is more than data.
 */
export function whenRead(
  own: unknown,
  next: (own: unknown) => unknown,
  { isPlanned }: Pick<FieldCall, "isPlanned">,
): unknown {
  if (isPlanned && !isData(own)) throw new NeedsGraphQLJs();
  return isPromiseLike(own) ? Promise.resolve(own).then(next) : next(own);
}

/**
 * A property of an object, or what its method of that name returns for the call.
 *
 * @throws {NeedsGraphQLJs} Where a plan calls, and there is a method.
 */
export function readProperty(source: object, name: string, call: FieldCall): unknown {
  const value: unknown = Reflect.get(source, name);
  if (typeof value !== "function") return value;
  if (call.isPlanned) throw new NeedsGraphQLJs();
  return toResolved(value.call(source, call.args, call.context, call.info));
}

function readRecord(orm: Orm, record: MockRecord, fieldName: string, call: FieldCall): unknown {
  const model = record[MODEL];
  if (!model.getters.has(fieldName)) return copyValue(record[fieldName]);
  if (call.isPlanned) throw new NeedsGraphQLJs();
  return readProperty(toMirageModel(orm, model, record), fieldName, call);
}

/** A call for an object that is no record. */
interface ObjectCall {
  readonly call: FieldCall;
  readonly source: Readonly<Record<string, unknown>>;
  readonly model: MockModel | undefined;
}

/**
 * A relation of a Mirage model or a plain object: what it says itself, or by its foreign key, or as
 * the record has it that its id names.
 */
function readRelation(
  { store }: Orm,
  { relation, follow }: FieldRelation,
  { call, source, model }: ObjectCall,
): unknown {
  const key = source[relation.foreignKey];
  if (showsRelation(source, relation.name)) return follow(key);
  if (isMirageModel(source) && !holdsRelated(source, relation)) return follow(key);
  const own = readProperty(source, relation.name, call);
  if (own !== undefined) return own;
  if (key !== undefined) return follow(key);
  const { id } = source;
  if (id === undefined || id === null || model === undefined) return undefined;
  const record = store.of(model).find(id);
  return record && follow(record[relation.foreignKey]);
}

/** Whether a model holds related models itself: loaded before, or set and not saved yet. */
function holdsRelated({ _tempAssociations: held }: MirageModel, { name }: Relation): boolean {
  return isObject(held) && isObject(held[name]);
}
