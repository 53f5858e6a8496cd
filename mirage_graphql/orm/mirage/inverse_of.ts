import type { MirageAssociation, MirageSchema } from "./mirage_schema.ts";

/**
 * The association of a target's model that is the inverse of one that leads to it, even if Mirage
 * knows it from one side only, as with polymorphic ones. An association with `inverse: null` has
 * none, unless the other side names it.
 */
export function inverseOf(
  mirageSchema: MirageSchema,
  association: MirageAssociation,
  targetModelName: string,
): MirageAssociation | undefined {
  const { name, ownerModelName, opts } = association;
  const candidates = Object.values(mirageSchema.associationsFor(targetModelName))
    .filter((candidate) => leadsTo(candidate, ownerModelName));
  const naming = candidates.find((candidate) => candidate.opts.inverse === name);
  if (naming !== undefined) return naming;
  if (opts.inverse === null) return undefined;

  const owner = mirageSchema.modelClassFor(ownerModelName);
  const known = mirageSchema.modelClassFor(targetModelName).inverseFor(association);
  if (known !== null) return isOfAnother(mirageSchema, association, known) ? undefined : known;
  return candidates.find((candidate) =>
    candidate.opts.inverse !== null && owner.inverseFor(candidate) === association
  );
}

/**
 * Mirage uses any association of the target as the inverse of a polymorphic one, even the inverse
 * of another association to that model: `User.comments` belongs to `Comment.user`, not to
 * `Comment.subject`.
 */
function isOfAnother(
  mirageSchema: MirageSchema,
  association: MirageAssociation,
  known: MirageAssociation,
): boolean {
  if (association.isPolymorphic !== true || known.opts.inverse !== undefined) return false;
  return Object.values(mirageSchema.associationsFor(association.ownerModelName)).some((other) =>
    other.isPolymorphic !== true && other.modelName === known.ownerModelName &&
    (other.opts.inverse === undefined || other.opts.inverse === known.name)
  );
}

/** Whether an association can lead to records of a model. */
export function leadsTo(association: MirageAssociation, modelName: string): boolean {
  return association.isPolymorphic === true || association.modelName === modelName;
}
