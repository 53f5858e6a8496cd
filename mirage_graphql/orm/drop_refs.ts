import type { MirageAssociation } from "./mirage.ts";
import { readRefs, type RecordRef, refKey } from "./writes/record_ref.ts";
import type { Transaction } from "./writes/transaction.ts";
import { writeRefs } from "./write_refs.ts";

/** References to take out of an association of a model's records. */
export interface Drop {
  readonly modelName: string;
  readonly association: MirageAssociation;
  readonly gone: readonly RecordRef[];
  /** Tells the records whose association stays as it is. */
  readonly isKept?: (ref: RecordRef) => boolean;
}

/** Takes references out of every record that holds one of them. */
export function dropRefs(transaction: Transaction, drop: Drop): void {
  const { modelName, association, gone, isKept = () => false } = drop;
  const keys = new Set(gone.map(refKey));
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
