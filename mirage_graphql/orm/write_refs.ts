import type { MirageAssociation } from "./mirage.ts";
import { type RecordRef, toForeignKey } from "./writes/record_ref.ts";
import type { Transaction } from "./writes/transaction.ts";

/** Sets what an association of one record leads to, on this side only. */
export function writeRefs(
  transaction: Transaction,
  holder: RecordRef,
  value: { readonly association: MirageAssociation; readonly refs: readonly RecordRef[] },
): void {
  const { association, refs } = value;
  transaction.link(holder, association.foreignKey, toForeignKey(refs, association));
}
