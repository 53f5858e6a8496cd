import { getNamedType, isEnumType, isObjectType, isScalarType } from "graphql";
import { fieldOf } from "../../schema/types.ts";
import { fieldNameOf, type MirageAssociation } from "../../orm/mirage/mirage_schema.ts";
import type { MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { isObject, isPlainObject } from "../../shared/values.ts";
import type {
  GivenValue,
  NestedConventions,
  NestedOwner,
  PlannedLink,
  WriteInput,
  WritePlan,
} from "../../orm/writes/nested_conventions.ts";
import { findRecord, isSameRef, readRefs, type RecordRef } from "../../orm/writes/record_ref.ts";
import { relatedRecord } from "../../orm/writes/related_record.ts";
import { labelOfModel, writeError } from "../../orm/writes/write_context.ts";
import { resolveConflict } from "./conflict.ts";
import type { NestedOperation, NestedOperations } from "./nested_operations.ts";
import { createWhere, findRefs } from "../../arguments/where.ts";
import type { Changes } from "./value_changes.ts";

/**
 * Operations on relations, as in Prisma, Keystone and Hasura, such as
 * `{ connect: { id: 1 } }`, and on values, such as `{ increment: 1 }`.
 */
export function createNestedConventions(
  orm: Orm,
  operations: NestedOperations,
  changes: Changes,
): NestedConventions {
  return {
    planLink(owner, value) {
      const type = labelOfModel(orm, owner.association.modelName);
      return hasOperations(orm, operations, type, value)
        ? planOperations(orm, owner, operations.parse(value))
        : undefined;
    },
    inputsOf(typeName, value) {
      if (!hasOperations(orm, operations, typeName, value)) return undefined;
      return operations.parse(value).flatMap(({ create, data }) => [create, data]);
    },
    valueOf: (given, old) => changedValue(orm, changes, given, old),
  };
}

/**
 * Whether an object has operations, rather than values of a type that has fields of these names.
 *
 * @throws {GraphQLError} If it contains anything else.
 */
function hasOperations(
  { graphQLSchema }: Orm,
  operations: NestedOperations,
  typeName: string,
  value: unknown,
): value is WriteInput {
  if (!isPlainObject(value)) return false;
  const type = graphQLSchema.getType(typeName);
  const fields = isObjectType(type) ? type.getFields() : {};
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  if (names.length === 0) return true;
  const [operation] = names.filter((name) => operations.has(name) && fields[name] === undefined);
  const others = names.filter((name) => !operations.has(name));
  if (operation === undefined || others.some((name) => fields[name] !== undefined)) return false;
  const [unknown] = others;
  if (unknown === undefined) return true;
  throw writeError(
    `Cannot write ${typeName}: "${unknown}" is not an operation, unlike "${operation}"`,
  );
}

/** The records that a relation leads to while its operations are planned one by one. */
interface Targets {
  readonly kept: readonly (RecordRef | WritePlan)[];
  readonly removed: readonly RecordRef[];
}

function planOperations(
  orm: Orm,
  owner: NestedOwner,
  operations: readonly NestedOperation[],
): Omit<PlannedLink, "association"> {
  const { association } = owner;
  let targets: Targets = { kept: heldRefs(orm, owner), removed: [] };
  let added: readonly (RecordRef | WritePlan)[] = [];
  for (const operation of operations) {
    const isAdding = ["connect", "create", "connectOrCreate"].includes(operation.name);
    if (isAdding) added = [...added, addedBy(orm, owner, operation)];
    else targets = changedBy(orm, owner, { operation, targets });
  }
  const { kept, removed } = targets;
  if (added.some((target) => hasTarget(removed, target))) {
    throw refuse(orm, association, "what it removes can't be added too");
  }
  if (association.type === "hasMany") return { targets: [...kept, ...added], removed };
  if (added.length < 2) return { targets: added.length === 1 ? added : kept, removed };
  throw refuse(orm, association, "it takes one record, and the input has several");
}

function heldRefs({ mirageSchema }: Orm, { association, existing }: NestedOwner): RecordRef[] {
  const record = existing && findRecord(mirageSchema, existing);
  return record === undefined ? [] : readRefs(record, association);
}

interface Change {
  readonly operation: NestedOperation;
  readonly targets: Targets;
}

/** The records after an operation on those that the relation leads to. */
function changedBy(orm: Orm, owner: NestedOwner, { operation, targets }: Change): Targets {
  const { association } = owner;
  const { name, where, data, create } = operation;
  const { kept, removed } = targets;
  const without = (gone: readonly RecordRef[]) => kept.filter((one) => !hasTarget(gone, one));
  const related = () => relatedTo(orm, association, { operation, kept });
  switch (name) {
    case "set":
      return {
        kept: (where as readonly unknown[]).map((one) => findRelated(orm, association, one)),
        removed,
      };
    case "disconnect":
      return {
        kept: where === undefined ? [] : without(
          isRelationFilter(association, where) ? related() : [findRelated(orm, association, where)],
        ),
        removed,
      };
    case "delete":
    case "deleteMany": {
      const gone = related();
      return { kept: without(gone), removed: [...removed, ...gone] };
    }
    case "upsert": {
      const found = related();
      if (found.length > 0) return { kept: replaced(owner, kept, found, data), removed };
      return {
        kept: [...(association.type === "hasMany" ? kept : []), planCreated(orm, owner, create)],
        removed,
      };
    }
    default:
      return { kept: replaced(owner, kept, related(), data), removed };
  }
}

/** Prisma disconnects a single record only if it matches. */
function isRelationFilter({ type }: MirageAssociation, where: unknown): boolean {
  return type === "belongsTo" && isPlainObject(where);
}

function hasTarget(refs: readonly RecordRef[], target: RecordRef | WritePlan): boolean {
  const ref = refOf(target);
  return ref !== undefined && refs.some((one) => isSameRef(one, ref));
}

function refOf(target: RecordRef | WritePlan): RecordRef | undefined {
  return "links" in target ? target.existing : target;
}

/** The targets, with plans for those that are updated. */
function replaced(
  owner: NestedOwner,
  kept: Targets["kept"],
  found: readonly RecordRef[],
  data: unknown,
): Targets["kept"] {
  const input = isPlainObject(data) ? data : {};
  return kept.flatMap((target) => {
    const ref = refOf(target);
    if (ref === undefined || !hasTarget(found, target)) return target;
    const plan = owner.planUpdate(ref, input);
    return "links" in target ? [target, plan] : plan;
  });
}

/**
 * The related records that an operation is about. One that is about a single record needs it,
 * except for an `upsert`.
 */
function relatedTo(
  orm: Orm,
  association: MirageAssociation,
  { operation: { name, where }, kept }: {
    readonly operation: NestedOperation;
    readonly kept: Targets["kept"];
  },
): RecordRef[] {
  const refs = kept.flatMap((target) => refOf(target) ?? []);
  const isMany = name === "updateMany" || name === "deleteMany";
  const isSingle = association.type === "belongsTo";
  if (where === undefined && !isSingle && !isMany) {
    throw refuse(orm, association, `"${name}" needs a "where"`);
  }
  const isAll = where === undefined ||
    isMany && isPlainObject(where) && Object.keys(where).length === 0;
  const found = isAll
    ? refs
    : association.isPolymorphic
    ? refs.filter(({ id }) => isPlainObject(where) && String(where.id) === id)
    : fittingRefs(orm, association, where).filter((ref) => refs.some((one) => isSameRef(one, ref)));
  const isOptional = isMany || name === "upsert" || name === "disconnect";
  if (found.length > 0 || isOptional) return found;
  const label = labelOfModel(orm, association.modelName);
  const state = where === undefined
    ? `there is no ${label} to ${name}`
    : `none of its records is a ${label} with ${JSON.stringify(where)}`;
  throw refuse(orm, association, state);
}

function addedBy(orm: Orm, owner: NestedOwner, operation: NestedOperation): RecordRef | WritePlan {
  const { association } = owner;
  const { name, where, create, conflict } = operation;
  if (name === "connect") return findRelated(orm, association, where);
  if (name === "connectOrCreate") {
    const [found] = fittingRefs(orm, association, where);
    return found ?? planCreated(orm, owner, create);
  }
  const model = orm.models.ofModel(association.modelName);
  const isInsert = !isObject(conflict) && conflict !== "skip";
  if (isInsert || model === undefined || !isPlainObject(create)) {
    return planCreated(orm, owner, create);
  }
  const { existing, input } = resolveConflict(orm, model, { input: create, conflict });
  if (existing === undefined) return owner.planCreate(create);
  return input === undefined ? existing : owner.planUpdate(existing, input);
}

function planCreated(orm: Orm, owner: NestedOwner, input: unknown): WritePlan {
  if (isPlainObject(input)) return owner.planCreate(input);
  throw refuse(orm, owner.association, "what it creates takes an object");
}

/** The record with an id, or the one that a `where` finds. */
function findRelated(orm: Orm, association: MirageAssociation, where: unknown): RecordRef {
  const id = isPlainObject(where) ? where.id : where;
  if (id !== undefined && id !== null && !isPlainObject(id)) {
    return relatedRecord(orm, association, { key: fieldNameOf(association), value: id });
  }
  const [found, other] = fittingRefs(orm, association, where);
  const label = labelOfModel(orm, association.modelName);
  if (other !== undefined) {
    throw refuse(orm, association, `several ${label} have ${JSON.stringify(where)}`);
  }
  if (found !== undefined) return found;
  throw refuse(orm, association, `there is no ${label} with ${JSON.stringify(where)}`);
}

/** All records that a `where` finds; none for a polymorphic relation, or without a `where`. */
function fittingRefs(orm: Orm, { modelName }: MirageAssociation, where: unknown): RecordRef[] {
  const model: MockModel | undefined = orm.models.ofModel(modelName);
  if (model === undefined) return [];
  const fields = isPlainObject(where) ? where : { id: where };
  if (Object.values(fields).every((value) => value === undefined || value === null)) return [];
  return findRefs(orm, model, [createWhere(orm, model)({ where: fields })]);
}

function refuse(orm: Orm, association: MirageAssociation, state: string): Error {
  const label = labelOfModel(orm, association.ownerModelName);
  return writeError(`Cannot write "${fieldNameOf(association)}" of ${label}: ${state}`);
}

/** A scalar whose values are objects, none of which is an operation. */
const OBJECTS = /json|object|map|any/i;

/** The new value for `{ set: 1 }`, `{ increment: 1 }` and the like, or else the value itself. */
function changedValue(
  { graphQLSchema }: Orm,
  changes: Changes,
  { typeName, name, value }: GivenValue,
  old: unknown,
): unknown {
  const field = fieldOf(graphQLSchema, typeName, name);
  const named = field && getNamedType(field.type);
  const isPlain = isEnumType(named) || isScalarType(named) && !OBJECTS.test(named.name);
  const [entry, ...others] = isPlainObject(value) ? Object.entries(value) : [];
  if (!isPlain || entry === undefined || others.length > 0) return value;
  return changes.has(entry[0]) ? changes.apply(entry[0], old, entry[1]) : value;
}
