import { belongsTo, hasMany, Model } from "miragejs";
import type { TypedModel } from "./draft_relations.ts";
import type { Inverses } from "./derive_inverses.ts";
import type { MirageSchema } from "./mock_schema.ts";
import type { RelationDraft } from "./relation_draft.ts";

/** Registers a model with its relations; each has an explicit inverse, or explicitly none. */
export function registerModel(
  mirageSchema: MirageSchema,
  { type, modelName }: TypedModel,
  relations: readonly RelationDraft[],
  inverses: Inverses,
): void {
  const associations = Object.fromEntries(relations.map((relation) => {
    return [relation.name, toAssociation(relation, inverses.get(relation))];
  }));
  try {
    mirageSchema.registerModel(modelName, Model.extend(associations));
  } catch (cause) {
    throw new RangeError(
      `Cannot register a model for the type "${type.name}": ${
        cause instanceof Error ? cause.message : cause
      }`,
      { cause },
    );
  }
}

function toAssociation(relation: RelationDraft, inverse: RelationDraft | undefined): unknown {
  const { isList, isPolymorphic, targets } = relation;
  const options = { inverse: inverse?.name ?? null, polymorphic: isPolymorphic };
  const modelName = isPolymorphic ? undefined : targets[0];
  return isList ? hasMany(modelName, options) : belongsTo(modelName, options);
}
