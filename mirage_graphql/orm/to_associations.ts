import { belongsTo, hasMany } from "miragejs";
import type { Inverses } from "./links.ts";
import { isMirageAssociation, type MirageAssociation } from "./mirage.ts";
import type { RelationDraft } from "./relation_draft.ts";

/** Mirage's associations for a model's relations: each with an inverse, or explicitly with none. */
export function toAssociations(
  relations: readonly RelationDraft[],
  inverses: Inverses,
): Record<string, MirageAssociation> {
  return Object.fromEntries(relations.map((relation) => {
    const association = toAssociation(relation, inverses.get(relation)?.name ?? null);
    return [relation.name, Object.assign(association, { name: relation.name })];
  }));
}

function toAssociation(relation: RelationDraft, inverse: string | null): MirageAssociation {
  const { isList, isPolymorphic, targets } = relation;
  const modelName = isPolymorphic ? undefined : targets[0];
  const options = { inverse, polymorphic: isPolymorphic };
  const association: unknown = isList ? hasMany(modelName, options) : belongsTo(modelName, options);
  if (isMirageAssociation(association)) return association;
  throw new TypeError(`Cannot use "miragejs": its belongsTo() and hasMany() make no associations`);
}
