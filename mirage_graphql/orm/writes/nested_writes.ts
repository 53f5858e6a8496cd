import type { MirageAssociation } from "../mirage.ts";
import { isPlainObject } from "../values.ts";
import { isSameRef, readRefs, type RecordRef, toRecordRef } from "./record_ref.ts";
import { relatedRecord } from "./related_record.ts";
import { findRecord, storedId, tableOf } from "./tables.ts";
import { labelOfModel, type WriteContext, writeError } from "./write_context.ts";

/** Operations on a relation by name, as Prisma and Keystone have them; `data` is Hasura's `create`. */
export type NestedWrites = Readonly<Record<string, unknown>>;

const OPERATIONS: ReadonlySet<string> = new Set(
  ["connect", "create", "data", "set", "disconnect", "connectOrCreate"],
);

/** Whether a value has nothing but operations, such as `{ connect: { id: 1 } }`. */
export function isNestedWrites(context: WriteContext, value: unknown): value is NestedWrites {
  if (context.conventions?.writes !== true || !isPlainObject(value)) return false;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => OPERATIONS.has(name));
}

/** The value in `{ set: value }`, as Prisma's inputs of lists and plain values have it. */
export function setValue(context: WriteContext, value: unknown): unknown {
  const isSet = isNestedWrites(context, value) && Object.keys(value).join() === "set";
  return isSet ? value.set : value;
}

/** The relation that is written, and the record that has it. */
export interface NestedOwner<Plan> {
  readonly association: MirageAssociation;
  /** The record; `undefined` if it is created. */
  readonly existing: RecordRef | undefined;
  /** Plans a record to create. */
  readonly plan: (input: Readonly<Record<string, unknown>>) => Plan;
}

/**
 * The records that a relation leads to after the operations: what it had, or what is `set`, without
 * what is disconnected, and with what is connected and created.
 */
export function nestedTargets<Plan>(
  context: WriteContext,
  owner: NestedOwner<Plan>,
  writes: NestedWrites,
): readonly (RecordRef | Plan)[] {
  const { association } = owner;
  const isList = association.type === "hasMany";
  const find = (where: unknown) => findRelated(context, association, where);
  const held = writes.set === undefined ? heldRefs(context, owner) : itemsOf(writes.set).map(find);
  const { disconnect } = writes;
  const gone = disconnect === true ? held : itemsOf(disconnect || undefined).map(find);
  const kept = held.filter((ref) => !gone.some((other) => isSameRef(ref, other)));
  const added: (RecordRef | Plan)[] = [
    ...itemsOf(writes.connect).map(find),
    ...itemsOf(writes.create).concat(itemsOf(writes.data)).map((input) =>
      planOf(context, owner, input)
    ),
    ...itemsOf(writes.connectOrCreate).map((item) => connectOrCreate(context, owner, item)),
  ];
  if (isList) return [...kept, ...added];
  if (added.length < 2) return added.length === 1 ? added : kept;
  throw refuse(context, association, "it takes one record, and the input has several");
}

function heldRefs<Plan>(
  { mirageSchema }: WriteContext,
  { association, existing }: NestedOwner<Plan>,
): RecordRef[] {
  const record = existing && findRecord(mirageSchema, existing);
  return record === undefined ? [] : readRefs(record, association);
}

function connectOrCreate<Plan>(
  context: WriteContext,
  owner: NestedOwner<Plan>,
  item: unknown,
): RecordRef | Plan {
  const { where, create } = isPlainObject(item) ? item : {};
  const found = isPlainObject(where) && !isById(where)
    ? matching(context, owner.association, where)
    : matchingId(context, owner.association, where);
  return found ?? planOf(context, owner, create);
}

function planOf<Plan>(context: WriteContext, owner: NestedOwner<Plan>, input: unknown): Plan {
  if (isPlainObject(input) && !owner.association.isPolymorphic) return owner.plan(input);
  throw refuse(context, owner.association, "what it creates takes an object, of one type");
}

/** The record with an id, or with the values of a unique attribute. */
function findRelated(
  context: WriteContext,
  association: MirageAssociation,
  where: unknown,
): RecordRef {
  if (!isPlainObject(where) || isById(where)) {
    const value = isPlainObject(where) ? where.id : where;
    return relatedRecord(context, association, { key: association.name, value });
  }
  const found = matching(context, association, where);
  if (found !== undefined) return found;
  const label = labelOfModel(context, association.modelName);
  throw refuse(context, association, `there is no ${label} with ${JSON.stringify(where)}`);
}

function isById(where: Readonly<Record<string, unknown>>): boolean {
  return where.id !== undefined && where.id !== null;
}

function matchingId(
  context: WriteContext,
  { modelName, isPolymorphic }: MirageAssociation,
  where: unknown,
): RecordRef | undefined {
  const id = isPlainObject(where) ? where.id : where;
  if (isPolymorphic || id === undefined || id === null) return undefined;
  const ref = { modelName, id: storedId(context, modelName, id) };
  const record = findRecord(context.mirageSchema, ref);
  return record && toRecordRef(modelName, record);
}

function matching(
  { mirageSchema }: WriteContext,
  { modelName, isPolymorphic }: MirageAssociation,
  where: Readonly<Record<string, unknown>>,
): RecordRef | undefined {
  const wanted = Object.entries(where).filter(([, value]) => value !== undefined && value !== null);
  if (isPolymorphic || wanted.length === 0) return undefined;
  const [record] = tableOf(mirageSchema, modelName).where((record) =>
    wanted.every(([name, value]) => String(record[name]) === String(value))
  );
  return record && toRecordRef(modelName, record);
}

function itemsOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function refuse(
  context: WriteContext,
  { name, ownerModelName }: MirageAssociation,
  state: string,
): Error {
  return writeError(`Cannot write "${name}" of ${labelOfModel(context, ownerModelName)}: ${state}`);
}
