import { type GraphQLSchema, isNonNullType, isObjectType } from "graphql";
import type { MirageAssociation } from "../mirage.ts";
import { inverseOf } from "./inverse_of.ts";
import { isSameRef, readRefs, type RecordRef, toRecordRef } from "./record_ref.ts";
import { allowedModels } from "./related_record.ts";
import { findRecord, tableOf } from "./tables.ts";
import type { CompletionLink, WriteContext } from "./write_context.ts";

/**
 * Creates the function that finds a record for each association of a new record that must not be
 * null and has none. A field with a resolver counts too, because that may read the record.
 */
export function createLinkFinder(
  context: WriteContext,
): (owner: RecordRef) => readonly CompletionLink[] {
  const required = requiredAssociations(context);
  return (owner) =>
    (required.get(owner.modelName) ?? []).flatMap((association) => {
      const record = findRecord(context.mirageSchema, owner) ?? {};
      if (readRefs(record, association).length > 0) return [];
      const target = firstFree(context, association, owner);
      return target === undefined ? [] : [{ association, target }];
    });
}

function requiredAssociations(
  { graphQLSchema, mirageSchema, models }: WriteContext,
): ReadonlyMap<string, readonly MirageAssociation[]> {
  return new Map(models.models.map(({ modelName, typeName, relations }) => {
    const associations = mirageSchema.associationsFor(modelName);
    const required = [...relations.values()].flatMap(({ name, isList, association }) =>
      !isList && isRequired(graphQLSchema, typeName, name) ? associations[association] ?? [] : []
    );
    return [modelName, required];
  }));
}

function isRequired(graphQLSchema: GraphQLSchema, typeName: string, name: string): boolean {
  const type = graphQLSchema.getType(typeName);
  const field = isObjectType(type) ? type.getFields()[name] : undefined;
  return isNonNullType(field?.type);
}

/** The first record that is not linked to another one yet. */
function firstFree(
  context: WriteContext,
  association: MirageAssociation,
  owner: RecordRef,
): RecordRef | undefined {
  const { mirageSchema } = context;
  for (const modelName of allowedModels(context, association)) {
    const inverse = inverseOf(mirageSchema, association, modelName);
    let isFound = false;
    // selects one record, because each is copied
    const [first] = tableOf(mirageSchema, modelName).where((record) => {
      if (isFound || isSameRef(toRecordRef(modelName, record), owner)) return false;
      isFound = inverse?.type !== "belongsTo" || readRefs(record, inverse).length === 0;
      return isFound;
    });
    if (first !== undefined) return toRecordRef(modelName, first);
  }
  return undefined;
}
