import { recordBehind } from "../orm/host_object.ts";
import { isMirageModel, isObject, type MirageModel } from "../orm/mock_schema.ts";
import type { MockModel, Relation } from "../orm/model_map.ts";
import { type Orm, toMirageModel } from "../orm/orm.ts";
import { type MockRecord, MODEL } from "../orm/record_store.ts";
import type { FieldCall, Resolve } from "./field_call.ts";
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
    const record = recordBehind(call.source, fieldName);
    if (record !== undefined) {
      if (relation === undefined) return readRecord(orm, record, fieldName, call);
      return relation.follow(record[relation.relation.foreignKey]);
    }
    if (!isObject(call.source)) return undefined;
    return relation === undefined
      ? readProperty(call.source, fieldName, call)
      : readRelation(orm, relation, { ...call, source: call.source }, model);
  };
}

/** Goes on with what a reader returned, once it is there. */
export function whenRead(own: unknown, next: (own: unknown) => unknown): unknown {
  return isObject(own) && typeof own.then === "function"
    ? Promise.resolve(own).then(next)
    : next(own);
}

/** A property of an object, or what its method of that name returns for the call. */
export function readProperty(source: object, name: string, call: FieldCall): unknown {
  const value: unknown = Reflect.get(source, name);
  if (typeof value !== "function") return value;
  return toResolved(value.call(source, call.args, call.context, call.info));
}

function readRecord(orm: Orm, record: MockRecord, fieldName: string, call: FieldCall): unknown {
  const model = record[MODEL];
  const holder = model.getters.has(fieldName) ? toMirageModel(orm, model, record) : record;
  return readProperty(holder, fieldName, call);
}

interface ObjectCall extends FieldCall {
  readonly source: Readonly<Record<string, unknown>>;
}

/**
 * A relation of a Mirage model or a plain object: what it says itself, or by its foreign key, or as
 * the record has it that its id names.
 */
function readRelation(
  { store }: Orm,
  { relation, follow }: FieldRelation,
  call: ObjectCall,
  model: MockModel | undefined,
): unknown {
  const { source } = call;
  const key = source[relation.foreignKey];
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
