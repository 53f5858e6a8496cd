import { ambiguityError } from "./ambiguity_error.ts";
import { pairByName, type Pairing, pairRelations, type StemsOf } from "./pair_relations.ts";
import type { RelationDraft } from "./relation_draft.ts";

/**
 * The other side of each relation that has one. A polymorphic relation can be the other side of one
 * in each model it leads to, and has no entry of its own.
 */
export type Inverses = ReadonlyMap<RelationDraft, RelationDraft>;

/**
 * Finds which relations are two sides of one. What the host says of its own models is taken as it
 * stands; relations between two models of the host are left alone.
 *
 * @throws {RangeError} Where several pairings are possible: the message has the line to write.
 */
export function deriveInverses(relations: readonly RelationDraft[], stemsOf: StemsOf): Inverses {
  const candidates = relations.filter(({ saidInverse }) => saidInverse === undefined);
  const between = createIndex(candidates);
  const inverses = linkAsHostSays(relations);
  const ambiguous: Pairing[] = [];
  const unclear = new Set<RelationDraft>();
  const isOpen = (relation: RelationDraft) => !inverses.has(relation) && !unclear.has(relation);
  const link = (pairing: Pairing) => {
    if (isAmbiguous(pairing)) {
      ambiguous.push(pairing);
      for (const one of [...pairing.left, ...pairing.right]) {
        if (!one.isPolymorphic) unclear.add(one);
      }
    }
    for (const [a, b] of pairing.pairs) {
      inverses.set(b, a);
      if (!a.isPolymorphic) inverses.set(a, b);
    }
  };
  for (const [a, b] of joinedModels(candidates, false)) {
    const left = between(a, b, false).filter(isOpen);
    const right = between(b, a, false).filter(isOpen);
    const isDerived = [...left, ...right].some(({ isHosts }) => !isHosts);
    if (isDerived) link(pairRelations(left, right, stemsOf));
  }
  for (const [a, b] of joinedModels(candidates, true)) {
    const left = between(a, b, true).filter(isOpen);
    const right = between(b, a, false).filter((back) => isOpen(back) && !back.isHosts);
    const isLikely = between(a, b, false).every((direct) => right.includes(direct));
    if (isLikely) link(pairRelations(left, right, stemsOf));
    else link({ ...pairByName(left, right, stemsOf), left: [], right: [] });
  }
  if (ambiguous.length > 0) throw ambiguityError(ambiguous, relations, inverses);
  return inverses;
}

type Between = (owner: string, target: string, isPolymorphic: boolean) => readonly RelationDraft[];

function createIndex(relations: readonly RelationDraft[]): Between {
  const index = new Map<string, RelationDraft[]>();
  for (const relation of relations) {
    for (const target of relation.targets) {
      const key = `${relation.owner} ${target} ${relation.isPolymorphic}`;
      const found = index.get(key);
      if (found) found.push(relation);
      else index.set(key, [relation]);
    }
  }
  return (owner, target, isPolymorphic) => index.get(`${owner} ${target} ${isPolymorphic}`) ?? [];
}

function linkAsHostSays(relations: readonly RelationDraft[]): Map<RelationDraft, RelationDraft> {
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

/** The models that relations join, each two once; polymorphic relations from their owner's side. */
function joinedModels(
  relations: readonly RelationDraft[],
  isPolymorphic: boolean,
): Iterable<readonly [string, string]> {
  const joined = new Map<string, readonly [string, string]>();
  for (const { owner, targets } of relations.filter((one) => one.isPolymorphic === isPolymorphic)) {
    for (const target of targets) {
      const isThere = !isPolymorphic && joined.has(`${target} ${owner}`);
      if (!isThere) joined.set(`${owner} ${target}`, [owner, target]);
    }
  }
  return joined.values();
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
