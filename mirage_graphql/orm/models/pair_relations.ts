import type { RelationDraft } from "../relation_draft.ts";

/** What pairing found: the pairs, and what is left on the two sides. */
export interface Pairing {
  readonly pairs: readonly (readonly [RelationDraft, RelationDraft])[];
  readonly left: readonly RelationDraft[];
  readonly right: readonly RelationDraft[];
}

/** Stems of a relation's name; see `nameStems`. */
export type StemsOf = (relation: RelationDraft) => ReadonlySet<string>;

/**
 * Pairs the relations of one model with those that lead back to it: by name, then the two that are
 * left, if only two are.
 * For a model's relations with itself, pass the same list twice.
 */
export function pairRelations(
  left: readonly RelationDraft[],
  right: readonly RelationDraft[],
  stemsOf: StemsOf,
): Pairing {
  if (left.length === 1 && right.length === 1 && left[0] !== right[0]) {
    return pairLast([], left, right);
  }
  const named = pairByName(left, right, stemsOf);
  return pairLast(named.pairs, named.left, named.right);
}

/** Pairs those that alone have the same stems, then those that alone share a stem. */
export function pairByName(
  left: readonly RelationDraft[],
  right: readonly RelationDraft[],
  stemsOf: StemsOf,
): Pairing {
  const same = pairWhere({ pairs: [], left, right }, (a, b) => equal(stemsOf(a), stemsOf(b)));
  return pairWhere(same, (a, b) => overlap(stemsOf(a), stemsOf(b)));
}

type Matches = (a: RelationDraft, b: RelationDraft) => boolean;

/** Pairs those that match each other and no one else. */
function pairWhere(pairing: Pairing, matches: Matches): Pairing {
  const partnerIn = (others: readonly RelationDraft[], one: RelationDraft) => {
    const [partner, ...more] = others.filter((other) => other !== one && matches(one, other));
    return more.length === 0 ? partner : undefined;
  };
  const pairs = [...pairing.pairs];
  const paired = new Set<RelationDraft>();
  for (const a of pairing.left) {
    const b = partnerIn(pairing.right, a);
    if (b === undefined || paired.has(a) || partnerIn(pairing.left, b) !== a) continue;
    pairs.push([a, b]);
    paired.add(a).add(b);
  }
  const isLeft = (relation: RelationDraft) => !paired.has(relation);
  return { pairs, left: pairing.left.filter(isLeft), right: pairing.right.filter(isLeft) };
}

function pairLast(
  pairs: Pairing["pairs"],
  left: readonly RelationDraft[],
  right: readonly RelationDraft[],
): Pairing {
  const isSelf = left.length > 0 && left[0] === right[0];
  const [a, b, ...more] = isSelf
    ? left
    : left.length === 1 && right.length === 1
    ? [...left, ...right]
    : [];
  const isPair = a !== undefined && b !== undefined && more.length === 0 &&
    (!isSelf || a.isList !== b.isList);
  return isPair ? { pairs: [...pairs, [a, b]], left: [], right: [] } : { pairs, left, right };
}

function equal(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((stem) => b.has(stem));
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...a].some((stem) => b.has(stem));
}
