import {
  createPairings,
  pairByName,
  pairByPlural,
  type Pairings,
  pairRelations,
  type StemsOf,
} from "./pair_relations.ts";
import type { RelationDraft } from "./relation_fields.ts";

/**
 * Finds which relations are inverses of each other. Declarations of user-defined models are kept;
 * relations between two user-defined models are not paired, nor are relations with several possible
 * pairings.
 *
 * @param options Whether a list that is named after its type alone is the inverse of the only
 * to-one relation: `byPlural`, `false` by default.
 */
export function deriveInverses(
  relations: readonly RelationDraft[],
  stemsOf: StemsOf,
  options: { readonly byPlural?: boolean } = {},
): Pairings {
  const { byPlural = false } = options;
  const pairings = createPairings(relations);
  const candidates = relations.filter(({ declaredInverse }) => declaredInverse === undefined);
  const between = createIndex(candidates);
  for (const [a, b] of joinedModels(candidates, false)) {
    pairDirect(pairings, between(a, b), { stemsOf, byPlural });
  }
  for (const [a, b] of joinedModels(candidates, true)) {
    pairPolymorphic(pairings, between(a, b), stemsOf);
  }
  return pairings;
}

/** The relations from one model to another, and those that lead back directly. */
interface Between {
  readonly direct: readonly RelationDraft[];
  readonly polymorphic: readonly RelationDraft[];
  readonly back: readonly RelationDraft[];
}

function pairDirect(
  pairings: Pairings,
  { direct, back }: Between,
  { stemsOf, byPlural }: { readonly stemsOf: StemsOf; readonly byPlural: boolean },
): void {
  const left = direct.filter(pairings.isOpen);
  const right = back.filter(pairings.isOpen);
  const isDerived = [...left, ...right].some(({ isUserDefined }) => !isUserDefined);
  if (!isDerived) return;
  const paired = pairRelations(left, right, stemsOf);
  pairings.add(byPlural ? pairByPlural(paired, stemsOf) : paired);
}

/** If there are direct relations too, a polymorphic one is paired only by its name. */
function pairPolymorphic(
  pairings: Pairings,
  { direct, polymorphic, back }: Between,
  stemsOf: StemsOf,
): void {
  const right = back.filter((relation) => pairings.isOpen(relation) && !relation.isUserDefined);
  const isBesideDirect = direct.some((relation) => !right.includes(relation));
  if (!isBesideDirect) return pairings.add(pairRelations(polymorphic, right, stemsOf));
  const { pairs } = pairByName(polymorphic, right, stemsOf);
  pairings.add({ pairs, left: [], right: [] });
}

function createIndex(relations: readonly RelationDraft[]): (a: string, b: string) => Between {
  const index = new Map<string, RelationDraft[]>();
  for (const relation of relations) {
    for (const target of relation.targets) {
      const key = keyOf(relation.owner, target, relation.isPolymorphic);
      const found = index.get(key);
      if (found) found.push(relation);
      else index.set(key, [relation]);
    }
  }
  return (a, b) => ({
    direct: index.get(keyOf(a, b, false)) ?? [],
    polymorphic: index.get(keyOf(a, b, true)) ?? [],
    back: index.get(keyOf(b, a, false)) ?? [],
  });
}

/**
 * The pairs of models that relations join, each once; polymorphic relations from the owner's side.
 */
function joinedModels(
  relations: readonly RelationDraft[],
  isPolymorphic: boolean,
): Iterable<readonly [string, string]> {
  const joined = new Map<string, readonly [string, string]>();
  for (const { owner, targets } of relations.filter((one) => one.isPolymorphic === isPolymorphic)) {
    for (const target of targets) {
      const isThere = !isPolymorphic && joined.has(keyOf(target, owner, false));
      if (!isThere) joined.set(keyOf(owner, target, isPolymorphic), [owner, target]);
    }
  }
  return joined.values();
}

function keyOf(owner: string, target: string, isPolymorphic: boolean): string {
  return `${owner} ${target} ${isPolymorphic}`;
}
