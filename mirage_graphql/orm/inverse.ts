import type { MirageAssociation, MirageSchema } from "./mock_schema.ts";

/**
 * The association of a target's model that is the other side of one that leads to it. Where Mirage
 * knows it from one side only, as with an implicit polymorphic one, both sides are told; an
 * association with `inverse: null` has none.
 */
export function inverseOf(
  mirageSchema: MirageSchema,
  association: MirageAssociation,
  targetModelName: string,
): MirageAssociation | undefined {
  if (association.opts.inverse === null) return undefined;
  const inverse = mirageSchema.modelClassFor(targetModelName).inverseFor(association);
  if (inverse !== null) return inverse.opts.inverse === null ? undefined : inverse;

  const owner = mirageSchema.modelClassFor(association.ownerModelName);
  return Object.values(mirageSchema.associationsFor(targetModelName)).find((candidate) =>
    candidate.opts.inverse !== null && leadsTo(candidate, association.ownerModelName) &&
    owner.inverseFor(candidate) === association
  );
}

/** Tells whether an association can hold records of a model. */
export function leadsTo(association: MirageAssociation, modelName: string): boolean {
  return association.isPolymorphic === true || association.modelName === modelName;
}
