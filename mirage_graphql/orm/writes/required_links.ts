import { type GraphQLSchema, isNonNullType, isObjectType } from "graphql";
import type { MirageAssociation, MirageSchema } from "../mirage.ts";
import type { ModelMap } from "../models/model_map.ts";
import { inverseOf } from "./inverse_of.ts";
import { linkRecords, writeRefs } from "./link_records.ts";
import { isSameRef, readRefs, type RecordRef, toRecordRef } from "./record_ref.ts";
import { allowedModels } from "./related_record.ts";
import type { Transaction } from "./transaction.ts";

/** The associations to one record that must not be null, by model. */
export type RequiredLinks = ReadonlyMap<string, readonly MirageAssociation[]>;

/** Finds the associations that must not be null, except those with resolvers. */
export function requiredLinks(
  graphQLSchema: GraphQLSchema,
  mirageSchema: MirageSchema,
  models: ModelMap,
): RequiredLinks {
  const all = models.models.map(({ modelName, typeName, relations }) => {
    const type = graphQLSchema.getType(typeName);
    const fields = isObjectType(type) ? type.getFields() : {};
    const associations = mirageSchema.associationsFor(modelName);
    const required = [...relations.values()].flatMap(({ name, isList, association }) => {
      const field = fields[name];
      const isRequired = isNonNullType(field?.type) && field?.resolve === undefined && !isList;
      return isRequired ? associations[association] ?? [] : [];
    });
    return [modelName, required] as const;
  });
  return new Map(all.filter(([, required]) => required.length > 0));
}

/** Links a record that was created to the first records that its required associations may have. */
export function linkRequired(transaction: Transaction, owner: RecordRef): void {
  for (const association of transaction.required?.get(owner.modelName) ?? []) {
    if (readRefs(transaction.find(owner) ?? {}, association).length > 0) continue;
    const target = firstFree(transaction, association, owner);
    if (target === undefined) continue;
    writeRefs(transaction, owner, { association, refs: [target] });
    linkRecords(transaction, { owner, association, targets: [target], isNewOwner: true });
  }
}

/** The first record that would not have to leave another one. */
function firstFree(
  transaction: Transaction,
  association: MirageAssociation,
  owner: RecordRef,
): RecordRef | undefined {
  for (const modelName of allowedModels(transaction, association)) {
    const inverse = inverseOf(transaction.mirageSchema, association, modelName);
    let isFound = false;
    // selects one record, because each is copied
    const [first] = transaction.select(modelName, (record) => {
      if (isFound || isSameRef(toRecordRef(modelName, record), owner)) return false;
      isFound = inverse?.type !== "belongsTo" || readRefs(record, inverse).length === 0;
      return isFound;
    });
    if (first !== undefined) return first;
  }
  return undefined;
}
