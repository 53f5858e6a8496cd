import { getNamedType } from "graphql";
import type { ResolverCall } from "../../arguments/call.ts";
import { hasField, relationNamed } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { findRecord, type RecordRef, storedId } from "../../orm/writes/record_ref.ts";
import { type WriteContext, writeError } from "../../orm/writes/write_context.ts";
import type { RecordWrite } from "../../orm/writes/write_records.ts";
import { fieldsOf } from "../../schema/types.ts";
import { keyOf } from "../../shared/names.ts";
import { isGiven, isObject } from "../../shared/values.ts";
import { read, type TypedField } from "../typed_intent.ts";
import { NO_ITEM, type Values } from "../write_intent.ts";
import { currentRecord } from "./current_record.ts";
import { isItemId, type ListTarget, listTarget } from "./list_target.ts";
import type { RecordChange } from "./record_change.ts";
import { findReferred } from "./references.ts";

/**
 * What a mutation does to a list of the record that it returns, going by types: `cartLinesAdd(cartId,
 * lines)`, `cartLinesRemove(cartId, lineIds)`, `addItemToOrder(variantId, quantity)` and
 * `addLabels(issueId, labelIds)` add to, update, remove from or set the only list that such items
 * are for.
 */
export function listChange(
  orm: Orm & WriteContext,
  subject: TypedField,
): RecordChange | undefined {
  const target = listTarget(orm, subject);
  if (target === undefined) return undefined;
  const { owner, relation, model } = target;
  const isReadable = orm.nested?.inputsOf(model.typeName, { create: [] }) !== undefined;
  if (!isReadable) return undefined;
  const intent: RecordChange["intent"] = {
    action: "update",
    models: [owner],
    isPartial: false,
    refuse: subject.refuse,
    read(args, call) {
      return ownerIds(orm, target, { args, call }).map((id) => {
        const record = findRecord(orm.mirageSchema, { modelName: owner.modelName, id }) ?? {};
        const operations = operationsOf(orm, { target, args, record });
        return { ...NO_ITEM, keys: { id }, values: { [relation.name]: operations } };
      });
    },
    find: (
      { keys },
    ) => [{ model: owner, ref: { modelName: owner.modelName, id: String(keys.id) } }],
    after: (_item, ref) => countsOf(orm, target, ref),
  };
  return { model: owner, intent };
}

/** Writes numbers of a record that count its list, such as `imagesCount`. */
function countsOf(
  { mirageSchema }: Orm,
  { relation, model }: ListTarget,
  existing: RecordRef,
): readonly RecordWrite[] {
  const record = findRecord(mirageSchema, existing) ?? {};
  const ids = record[relation.foreignKey];
  const keys = [relation.name, model.collectionName, model.typeName].map(keyOf);
  const names = Object.keys(record).filter((name) =>
    typeof record[name] === "number" && keys.includes(countedIn(name))
  );
  const input = Object.fromEntries(
    names.map((name) => [name, Array.isArray(ids) ? ids.length : 0]),
  );
  return names.length === 0 ? [] : [{ modelName: existing.modelName, existing, input }];
}

/** What a name says that it counts: `images` for `imagesCount` and `num_images`; else nothing. */
function countedIn(name: string): string {
  const [, first, last] =
    /^(?:total)?(?:count|num(?:ber)?)(?:of)?(.+)$|^(?:total)?(.+?)(?:count|number)$/
      .exec(keyOf(name)) ?? [];
  return first ?? last ?? "";
}

/** What one call says. */
interface Call {
  readonly args: Values;
  readonly call?: ResolverCall | undefined;
}

function ownerIds(
  orm: Orm,
  { owner, ownerLeaves }: ListTarget,
  { args, call }: Call,
): readonly string[] {
  const leaf = ownerLeaves.find(({ path }) => isGiven(read(args, path)));
  if (leaf !== undefined) {
    return findReferred(orm, [{ model: owner, key: leaf.key }], read(args, leaf.path))
      .map(({ id }) => id);
  }
  const current = currentRecord(orm, owner);
  const id = current?.idFor(call);
  if (id !== undefined) return [id];
  const state = current === undefined
    ? "the call has no id of one"
    : `"${current.fieldName}" has none`;
  throw writeError(`Cannot change a list of ${owner.typeName}: ${state}`, { code: "NOT_FOUND" });
}

/** What one call does to a list. */
interface ListCall {
  readonly target: ListTarget;
  readonly args: Values;
  /** The record that has the list. */
  readonly record: Values;
}

/** Nested operations on the list, as inputs have them. */
function operationsOf(orm: Orm & WriteContext, list: ListCall): Values {
  const { target, args } = list;
  const { action, items } = target;
  if (items.form === "ids") {
    const value = read(args, items.path);
    const where = (Array.isArray(value) ? value : [value]).filter(isGiven).map((id) => ({ id }));
    if (action === "add") return { connect: where };
    if (action === "set") return { set: where };
    return removed(orm, target, where);
  }
  const value = items.form === "objects"
    ? read(args, items.path)
    : Object.fromEntries(items.leaves.map(({ name, path }) => [name, read(args, path)]));
  const inputs = (Array.isArray(value) ? value : [value]).filter(isObject);
  const changes = inputs.map((input) => changeOf(orm, { ...list, input }));
  const all = (name: keyof ItemChange) => changes.flatMap((change) => change[name] ?? []);
  return { create: all("create"), update: all("update"), delete: all("delete") };
}

/** What happens to one record of a list. */
interface ItemChange {
  readonly create?: Values;
  readonly update?: Values;
  readonly delete?: Values;
}

/**
 * What one input does. An input for what a list has already adds to its quantity, and a quantity of
 * zero removes it, as in a cart.
 */
function changeOf(
  orm: Orm,
  { target, record, input }: ListCall & { readonly input: Values },
): ItemChange {
  const idName = Object.keys(input).find((name) => name === "id" || isItemId(orm, target, name));
  const id = idName === undefined ? undefined : input[idName];
  const given = Object.entries(input).filter(([name, value]) =>
    name !== idName && value !== undefined && value !== null && !isIgnored(orm, target, name)
  );
  const values = Object.fromEntries(given);
  const { action } = target;
  const isCounted = hasField(orm.graphQLSchema, target.model, "quantity");
  if (action === "update") {
    if (!isGiven(id)) {
      throw writeError(`Cannot update ${target.model.typeName}: the call has no id`);
    }
    if (values.quantity === 0) return { delete: { id } };
    return { update: { where: { id }, data: values } };
  }
  const held = heldItem(orm, target, { record, values });
  if (action === "remove") {
    if (held !== undefined) return { delete: { id: held.id } };
    throw writeError(
      `Cannot remove ${JSON.stringify(values)}: "${target.relation.name}" has no such record`,
      { code: "NOT_FOUND" },
    );
  }
  if (!isCounted) return { create: values };
  const { quantity = 1 } = values;
  if (held === undefined) return { create: { ...values, quantity } };
  const sum = Number(held.quantity ?? 0) + Number(quantity);
  return { update: { where: { id: held.id }, data: { ...values, quantity: sum } } };
}

/** Whether an input is about how to change a list, and its records have no such field. */
function isIgnored(orm: Orm, { model, relation }: ListTarget, name: string): boolean {
  if (orm.conventions.unknownArguments === "error") return false;
  if (hasField(orm.graphQLSchema, model, name)) return false;
  orm.warnOnce(
    `The mock ignores "${name}" of "${relation.name}": ${model.typeName} has no such field`,
  );
  return true;
}

/** The record of a list that leads to the same related records as some values. */
function heldItem(
  orm: Orm,
  { relation, model }: ListTarget,
  { record, values }: { readonly record: Values; readonly values: Values },
): Values | undefined {
  const keys = Object.entries(values).flatMap(([name, value]) => {
    const own = relationNamed(model, name);
    if (own === undefined || own.isList || isObject(value)) return [];
    const id = own.modelName === undefined ? String(value) : storedId(orm, own.modelName, value);
    return [[own.foreignKey, id] as const];
  });
  const ids = record[relation.foreignKey];
  if (keys.length === 0 || !Array.isArray(ids)) return undefined;
  // in a list of several types, an id alone may be that of another one
  const isOf = (id: unknown) => !isObject(id) || id.type === model.modelName;
  return orm.store.of(model).select().find((one) =>
    ids.some((id) => idIn(id) === String(one.id) && isOf(id)) &&
    keys.every(([name, id]) => idIn(one[name]) === id)
  );
}

/** The id in a foreign key, which is `{ type, id }` if the relation leads to several types. */
function idIn(key: unknown): string {
  return String(isObject(key) ? key.id : key);
}

/** Records that only the list shows are deleted; others are kept, and no longer in the list. */
function removed({ graphQLSchema }: Orm, { model }: ListTarget, where: readonly Values[]): Values {
  const fields = fieldsOf(graphQLSchema.getQueryType());
  const isShown = fields.some(({ type }) => getNamedType(type).name === model.typeName);
  return isShown ? { disconnect: where } : { delete: where };
}
