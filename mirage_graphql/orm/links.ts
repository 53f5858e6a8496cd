import type { Pairing } from "./models/pair_relations.ts";
import type { RelationDraft } from "./relation_draft.ts";

/**
 * The other side of each relation that has one. A polymorphic relation can be the other side of one
 * in each model it leads to, and has no entry of its own.
 */
export type Inverses = ReadonlyMap<RelationDraft, RelationDraft>;

/** The pairs that are found so far, and what couldn't be paired. */
export interface Links {
  readonly inverses: Inverses;
  /** The pairings that left some on both sides. */
  readonly ambiguous: readonly Pairing[];
  /** Tells whether a relation can still be paired. */
  isOpen(relation: RelationDraft): boolean;
  /** Takes the pairs, and notes what is ambiguous. */
  add(pairing: Pairing): void;
}

/** Starts with what the host's models say of their inverses. */
export function createLinks(relations: readonly RelationDraft[]): Links {
  const inverses = inversesOfHost(relations);
  const ambiguous: Pairing[] = [];
  const unclear = new Set<RelationDraft>();
  return {
    inverses,
    ambiguous,
    isOpen: (relation) => !inverses.has(relation) && !unclear.has(relation),
    add: (pairing) => {
      for (const [a, b] of pairing.pairs) {
        inverses.set(b, a);
        if (!a.isPolymorphic) inverses.set(a, b);
      }
      if (!isAmbiguous(pairing)) return;
      ambiguous.push(pairing);
      const rest = [...pairing.left, ...pairing.right];
      rest.filter(({ isPolymorphic }) => !isPolymorphic).forEach((one) => unclear.add(one));
    },
  };
}

function inversesOfHost(relations: readonly RelationDraft[]): Map<RelationDraft, RelationDraft> {
  const inverses = new Map<RelationDraft, RelationDraft>();
  for (const relation of relations) {
    const { saidInverse, owner, targets } = relation;
    if (typeof saidInverse !== "string") continue;
    for (const other of relations) {
      if (other.isHosts || other.isPolymorphic || other.name !== saidInverse) continue;
      if (targets.includes(other.owner) && other.targets.includes(owner)) {
        inverses.set(other, relation);
      }
    }
  }
  return inverses;
}

/**
 * Both sides have some left. Of a model's relations with itself, only to-one beside to-many ones
 * may be sides of one: `mother` and `father`, or `friends` and `siblings`, are as written.
 */
function isAmbiguous({ left, right }: Pairing): boolean {
  if (left.length === 0 || right.length === 0) return false;
  if (left[0] !== right[0]) return true;
  return left.some(({ isList }) => isList) && left.some(({ isList }) => !isList);
}
