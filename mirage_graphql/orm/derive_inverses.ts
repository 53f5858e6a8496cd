import { ambiguityError } from "./ambiguity_error.ts";
import { pairByName, type Pairing, pairRelations, type StemsOf } from "./pair_relations.ts";
import type { RelationDraft } from "./relation_draft.ts";

/**
 * The other side of each relation that has one. A polymorphic relation can have one in each model
 * it leads to, so only those have an entry.
 */
export type Inverses = ReadonlyMap<RelationDraft, RelationDraft>;

/**
 * Finds which relations are two sides of one. What the host says of its own models is taken as it
 * stands; relations between two models of the host are left alone.
 *
 * @throws {RangeError} Where several pairings are possible: the message has the line to write.
 */
export function deriveInverses(relations: readonly RelationDraft[], stemsOf: StemsOf): Inverses {
  const inverses = linkAsHostSays(relations);
  const between = (owner: string, target: string, isPolymorphic: boolean) =>
    relations.filter((relation) =>
      relation.owner === owner && relation.targets.includes(target) &&
      relation.isPolymorphic === isPolymorphic
    );
  const isOpen = (relation: RelationDraft) =>
    !inverses.has(relation) && relation.hostInverse === undefined;
  const link = (pairing: Pairing) => {
    if (isAmbiguous(pairing)) throw ambiguityError(pairing, relations, inverses);
    for (const [a, b] of pairing.pairs) {
      inverses.set(b, a);
      if (!a.isPolymorphic) inverses.set(a, b);
    }
  };
  for (const [a, b] of joinedModels(relations, false)) {
    const left = between(a, b, false).filter(isOpen);
    const right = between(b, a, false).filter(isOpen);
    if ([...left, ...right].some(({ isHosts }) => !isHosts)) {
      link(pairRelations(left, right, stemsOf));
    }
  }
  for (const [a, b] of joinedModels(relations, true)) {
    const left = between(a, b, true).filter(isOpen);
    const right = between(b, a, false).filter((back) => isOpen(back) && !back.isHosts);
    const others = between(a, b, false);
    if (others.length === 0) link(pairRelations(left, right, stemsOf));
    else link({ ...pairByName(left, right, stemsOf), left: [], right: [] });
  }
  return inverses;
}

function linkAsHostSays(relations: readonly RelationDraft[]): Map<RelationDraft, RelationDraft> {
  const inverses = new Map<RelationDraft, RelationDraft>();
  for (const relation of relations) {
    const { hostInverse, owner, targets } = relation;
    if (typeof hostInverse !== "string") continue;
    for (const other of relations) {
      if (other.isHosts || other.isPolymorphic || other.name !== hostInverse) continue;
      if (!targets.includes(other.owner) || !other.targets.includes(owner)) continue;
      inverses.set(other, relation);
    }
  }
  return inverses;
}

/** Pairs of models that a relation joins, each pair once; for polymorphic ones with their owner first. */
function joinedModels(
  relations: readonly RelationDraft[],
  isPolymorphic: boolean,
): Iterable<readonly [string, string]> {
  const joined = new Map<string, readonly [string, string]>();
  for (const { owner, targets } of relations.filter((one) => one.isPolymorphic === isPolymorphic)) {
    for (const target of targets) {
      const isSwapped = !isPolymorphic && joined.has(`${target} ${owner}`);
      if (!isSwapped) joined.set(`${owner} ${target}`, [owner, target]);
    }
  }
  return joined.values();
}

/** Both sides have some left; a model's relations with itself, one to one and one to many. */
function isAmbiguous({ left, right }: Pairing): boolean {
  const [a] = left;
  const [b] = right;
  if (a === undefined || b === undefined) return false;
  if (a.isPolymorphic || a.owner !== b.owner) return true;
  return left.some(({ isList }) => isList) && left.some(({ isList }) => !isList);
}
