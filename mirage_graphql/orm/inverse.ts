import type { MirageAssociation, MirageSchema } from "./mock_schema.ts";

/**
 * The association of a target's model that is the other side of one that leads to it. Where Mirage
 * knows it from one side only, as with polymorphic ones, both sides are told. An association with
 * `inverse: null` has none, unless the other side names it.
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
  return mirageSchema.modelClassFor(targetModelName).inverseFor(association) ??
    candidates.find((candidate) =>
      candidate.opts.inverse !== null && owner.inverseFor(candidate) === association
    );
}

/** Tells whether an association can hold records of a model. */
export function leadsTo(association: MirageAssociation, modelName: string): boolean {
  return association.isPolymorphic === true || association.modelName === modelName;
}
