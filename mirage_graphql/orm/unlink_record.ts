import { dropRefs } from "./drop_refs.ts";
import { leadsTo } from "./writes/inverse_of.ts";
import { registeredModels } from "./models/model_names.ts";
import type { RecordRef } from "./writes/record_ref.ts";
import type { Transaction } from "./writes/transaction.ts";

/** Takes a record out of every association that leads to it; its own stay as they are. */
export function unlinkRecord(transaction: Transaction, ref: RecordRef): void {
  const { mirageSchema } = transaction;
  for (const modelName of registeredModels(mirageSchema)) {
    for (const association of Object.values(mirageSchema.associationsFor(modelName))) {
      if (leadsTo(association, ref.modelName)) {
        dropRefs(transaction, { modelName, association, gone: [ref] });
      }
    }
  }
}
