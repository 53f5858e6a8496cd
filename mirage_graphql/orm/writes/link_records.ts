import type { MirageAssociation } from "../mirage/mirage_schema.ts";
import { registeredModels } from "../mirage/model_names.ts";
import { inverseOf, leadsTo } from "../mirage/inverse_of.ts";
import { hasRef, isSameRef, readRefs, type RecordRef, refKey, toForeignKey } from "./record_ref.ts";
import type { Transaction } from "./transaction.ts";

/** The records that an association of one record now leads to, instead of earlier ones. */
export interface Link {
  readonly owner: RecordRef;
  readonly association: MirageAssociation;
  readonly targets: readonly RecordRef[];
  /** Whether the owner has just been created, so that nothing leads to it yet. */
  readonly isNewOwner: boolean;
}

/**
 * Updates the inverse sides of an association: a record that is no longer linked loses its
 * reference back, a newly linked one gets it, and one that can have a single owner leaves its
 * earlier owner, even if only that owner's list had the link. The owner's own foreign key must be
 * written before.
 */
export function linkRecords(transaction: Transaction, link: Link): void {
  const { owner, association, targets, isNewOwner } = link;
  if (!isNewOwner) leaveOldTargets(transaction, link);
  leaveOldOwners(transaction, link);
  for (const target of targets) {
    const inverse = inverseOf(transaction.mirageSchema, association, target.modelName);
    if (inverse !== undefined) addRef(transaction, target, { association: inverse, ref: owner });
  }
}

function leaveOldTargets(transaction: Transaction, link: Link): void {
  const { owner, association, targets } = link;
  const kept = new Set(targets.map(refKey));
  const isKept = (ref: RecordRef) => kept.has(refKey(ref));
  for (const modelName of targetModels(transaction, association)) {
    const inverse = inverseOf(transaction.mirageSchema, association, modelName);
    if (inverse === undefined) continue;
    removeRefs(transaction, { modelName, association: inverse, removed: [owner], isKept });
  }
}

function leaveOldOwners(transaction: Transaction, link: Link): void {
  const { owner, association, targets } = link;
  for (const targetModel of new Set(targets.map(({ modelName }) => modelName))) {
    const inverse = inverseOf(transaction.mirageSchema, association, targetModel);
    if (inverse?.type !== "belongsTo") continue;
    const removed = targets.filter(({ modelName }) => modelName === targetModel);
    for (const side of ownerSides(transaction, inverse, targetModel)) {
      const isKept = (ref: RecordRef) => isSameRef(ref, owner);
      removeRefs(transaction, { ...side, removed, isKept });
    }
  }
}

/** Every association that has the given one as its inverse. */
function ownerSides(
  { mirageSchema, models }: Transaction,
  inverse: MirageAssociation,
  targetModel: string,
): { modelName: string; association: MirageAssociation }[] {
  return models.models.filter(({ modelName }) => leadsTo(inverse, modelName))
    .flatMap(({ modelName }) =>
      Object.values(mirageSchema.associationsFor(modelName))
        .filter((association) =>
          leadsTo(association, targetModel) &&
          inverseOf(mirageSchema, association, targetModel) === inverse
        )
        .map((association) => ({ modelName, association }))
    );
}

function targetModels({ models }: Transaction, association: MirageAssociation): string[] {
  if (!association.isPolymorphic) return [association.modelName];
  return models.models.map(({ modelName }) => modelName);
}

function addRef(
  transaction: Transaction,
  holder: RecordRef,
  added: { readonly association: MirageAssociation; readonly ref: RecordRef },
): void {
  const { association, ref } = added;
  const refs = readRefs(transaction.find(holder) ?? {}, association);
  if (hasRef(refs, ref)) return;
  const all = association.type === "hasMany" ? [...refs, ref] : [ref];
  writeRefs(transaction, holder, { association, refs: all });
}

/**
 * Removes a record from every association that leads to it; its own associations are not changed.
 */
export function unlinkRecord(transaction: Transaction, ref: RecordRef): void {
  const { mirageSchema } = transaction;
  for (const modelName of registeredModels(mirageSchema)) {
    for (const association of Object.values(mirageSchema.associationsFor(modelName))) {
      if (leadsTo(association, ref.modelName)) {
        removeRefs(transaction, { modelName, association, removed: [ref] });
      }
    }
  }
}

/** References to remove from an association of a model's records. */
export interface RemovedRefs {
  readonly modelName: string;
  readonly association: MirageAssociation;
  readonly removed: readonly RecordRef[];
  /** Whether the association of a record is not changed. */
  readonly isKept?: (ref: RecordRef) => boolean;
}

/** Removes references from every record that has one of them. */
function removeRefs(transaction: Transaction, removal: RemovedRefs): void {
  const { modelName, association, removed, isKept = () => false } = removal;
  const keys = new Set(removed.map(refKey));
  const holders = transaction.select(
    modelName,
    (record) => readRefs(record, association).some((ref) => keys.has(refKey(ref))),
  );
  for (const holder of holders) {
    if (isKept(holder)) continue;
    const refs = readRefs(transaction.find(holder) ?? {}, association);
    writeRefs(transaction, holder, {
      association,
      refs: refs.filter((ref) => !keys.has(refKey(ref))),
    });
  }
}

/** Sets the foreign key of an association of one record, on this side only. */
export function writeRefs(
  transaction: Transaction,
  holder: RecordRef,
  value: { readonly association: MirageAssociation; readonly refs: readonly RecordRef[] },
): void {
  const { association, refs } = value;
  transaction.link(holder, association.foreignKey, toForeignKey(refs, association));
}
