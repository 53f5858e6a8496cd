import { wordsOf } from "../../shared/names.ts";
import type { RelationDraft } from "./relation_fields.ts";

/** The result of pairing: the pairs, and the relations left on each side. */
export interface Pairing {
  readonly pairs: readonly (readonly [RelationDraft, RelationDraft])[];
  readonly left: readonly RelationDraft[];
  readonly right: readonly RelationDraft[];
}

/** Stems of a relation's name; see `nameStems`. */
export type StemsOf = (relation: RelationDraft) => ReadonlySet<string>;

/**
 * Pairs the relations of one model with those that lead back to it: by name, then the last two, if
 * exactly two are left. For a model's relations with itself, pass the same list twice.
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

/**
 * Pairs relations that are the only ones with the same stems, then those that are the only ones to
 * share one.
 */
export function pairByName(
  left: readonly RelationDraft[],
  right: readonly RelationDraft[],
  stemsOf: StemsOf,
): Pairing {
  const same = pairWhere({ pairs: [], left, right }, (a, b) => equal(stemsOf(a), stemsOf(b)));
  return pairWhere(same, (a, b) => overlap(stemsOf(a), stemsOf(b)));
}

type Matches = (a: RelationDraft, b: RelationDraft) => boolean;

/** Words of a field's name that only say that it is a list. */
const OF_LISTS: ReadonlySet<string> = new Set(["connection", "list"]);

/**
 * Pairs the only to-one relation that is left on one side with the list on the other that is named
 * after the type alone: `Article.author` with `User.articles`, next to `User.favoriteArticles`.
 */
export function pairByPlural(pairing: Pairing, stemsOf: StemsOf): Pairing {
  const { pairs, left, right } = pairing;
  if (left[0] !== undefined && left[0] === right[0]) return pairing;
  const [one, many] = left.length === 1 ? [left, right] : [right, left];
  const [single, ...others] = one;
  const [list, ...lists] = many.filter((relation) =>
    relation.isList && [...stemsOf(relation)].every((stem) => OF_LISTS.has(stem))
  );
  const isPair = single !== undefined && others.length === 0 && !single.isList &&
    list !== undefined && lists.length === 0;
  if (!isPair) return pairing;
  const rest = (relations: readonly RelationDraft[]) =>
    relations.filter((relation) => relation !== single && relation !== list);
  return { pairs: [...pairs, [single, list]], left: rest(left), right: rest(right) };
}

/** Pairs relations that match each other and no other. */
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

const STOP_WORDS = new Set(["by", "of", "in", "as", "for", "to", "the", "my", "all", "is"]);

/** Words that name the two sides of one relation without a common stem. */
const OPPOSITES: ReadonlyMap<string, string> = new Map(Object.entries({
  child: "parent",
  prev: "next",
  previous: "next",
  descendant: "ancestor",
  successor: "predecessor",
}));

/**
 * The stems of a field's name, without the words of the type it leads to: `authoredPosts`, which
 * leads to `Post`, and `author` both have the stem `auth`; `posts` has none. A name that consists
 * of stop words, such as `to` or `by`, keeps them.
 *
 * @param singularize Turns a dasherized word into its singular.
 */
export function nameStems(
  fieldName: string,
  targetType: string,
  singularize: (word: string) => string,
): ReadonlySet<string> {
  const dropped = new Set(telling(targetType).map(singularize));
  const words = telling(fieldName);
  const own = words.filter((word) => !STOP_WORDS.has(word));
  const stems = (own.length > 0 ? own : words)
    .filter((word) => !dropped.has(singularize(word)))
    .map((word) =>
      stemOf(OPPOSITES.get(word) ?? OPPOSITES.get(singularize(word)) ?? singularize(word))
    );
  return new Set(stems);
}

/** The words of a name, with a number as a word of its own: `address2` is an `address`. */
function telling(name: string): string[] {
  return wordsOf(name).flatMap((word) => word.match(/[a-z]+|\d+/g) ?? []);
}

/** `author`, `authored` -> `auth`; `mentor`, `mentee` -> `ment`; `owner`, `owned` -> `own`. */
function stemOf(word: string): string {
  const shorter = word.replace(/(?<=.{3})(ing|ed|er|or|ee|e)$/, "");
  return shorter === word ? word : stemOf(shorter);
}

/**
 * The inverse of each relation that has one. A polymorphic relation can be the inverse of one
 * relation in each model it leads to, and has no entry of its own.
 */
export type Inverses = ReadonlyMap<RelationDraft, RelationDraft>;

/** The pairs that are known so far, and what could not be paired. */
export interface Pairings {
  readonly inverses: Inverses;
  /** The pairings with relations left on both sides. */
  readonly ambiguous: readonly Pairing[];
  /** Whether a relation can still be paired. */
  isOpen(relation: RelationDraft): boolean;
  /** Adds the pairs, and records what is ambiguous. */
  add(pairing: Pairing): void;
}

/** Starts with the inverses that user-defined models declare. */
export function createPairings(relations: readonly RelationDraft[]): Pairings {
  const inverses = declaredInverses(relations);
  const ambiguous: Pairing[] = [];
  const unclear = new Set<RelationDraft>();
  return {
    inverses,
    ambiguous,
    isOpen: (relation) => !inverses.has(relation) && !unclear.has(relation),
    add: (pairing) => {
      for (const [a, b] of pairing.pairs) {
        if (a.isChosen || b.isChosen) continue;
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

function declaredInverses(relations: readonly RelationDraft[]): Map<RelationDraft, RelationDraft> {
  const inverses = new Map<RelationDraft, RelationDraft>();
  for (const relation of relations) {
    const { declaredInverse, owner, targets } = relation;
    if (typeof declaredInverse !== "string") continue;
    for (const other of relations) {
      if (other.isUserDefined || other.isPolymorphic || other.association !== declaredInverse) {
        continue;
      }
      if (targets.includes(other.owner) && other.targets.includes(owner)) {
        inverses.set(other, relation);
      }
    }
  }
  return inverses;
}

/**
 * Relations are left on both sides. Among a model's relations with itself, only a to-one and a
 * to-many relation may be inverses: `mother` and `father`, or `friends` and `siblings`, are
 * independent.
 */
function isAmbiguous({ left, right }: Pairing): boolean {
  if (left.length === 0 || right.length === 0) return false;
  if (left[0] !== right[0]) return true;
  return left.some(({ isList }) => isList) && left.some(({ isList }) => !isList);
}
