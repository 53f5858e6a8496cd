import { camelize, enumerate } from "../../shared/names.ts";
import type { Inverses, Pairing, Pairings } from "./pair_relations.ts";
import { labelOf, type RelationDraft } from "./relation_fields.ts";

/** Relations whose inverse is not clear, and the candidates for it. */
interface Ambiguity {
  readonly open: readonly RelationDraft[];
  readonly back: readonly RelationDraft[];
}

/**
 * The error for relations that could be paired in several ways. It shows models that resolve the
 * ambiguity, each with all its relations, because user-defined models are used as they are.
 *
 * @param pairings The known inverses, and the relations left on both sides, for each pair of models
 * where both have some left.
 */
export function ambiguityError(
  { ambiguous, inverses }: Pairings,
  relations: readonly RelationDraft[],
): RangeError {
  const ambiguities = ambiguous.map(toAmbiguity);
  const example = new Map([...inverses, ...ambiguities.flatMap((one) => [...examplePairs(one)])]);
  const owners = new Set(ambiguities.flatMap(({ open }) => open.map(({ owner }) => owner)));
  const models = Array.from(owners, (owner) => {
    const own = relations.filter((relation) => relation.owner === owner);
    const associations = own.map((relation) => associationText(relation, example.get(relation)));
    return `${camelize(owner)}: Model.extend({ ${associations.join(", ")} })`;
  });
  return new RangeError(
    `Cannot derive the inverse of ${ambiguities.map(reasonOf).join("; of ")}. ` +
      "Give the option `models` the inverses that you mean, `inverse: null` for none, such as " +
      `\`models: { ${models.join(", ")} }\``,
  );
}

/**
 * A line for each relation that could be paired in several ways: the association that pairs it, and
 * its other possible inverses.
 */
export function ambiguityLines({ ambiguous, inverses }: Pairings): string[] {
  return ambiguous.map(toAmbiguity).flatMap((ambiguity) => {
    const example = examplePairs(ambiguity);
    return ambiguity.open.map((relation) => {
      const back = ambiguity.back.filter((one) => one !== relation);
      const inverse = example.get(relation) ?? inverses.get(relation) ?? back[0];
      const others = back.filter((one) => one !== inverse);
      const names = others.map(({ name }) => `"${name}"`);
      const line = `${labelOf(relation)}: ${callOf(relation, inverse)}`;
      return names.length === 0 ? line : `${line}, or ${names.join(" or ")}`;
    });
  });
}

/** The side with fewer relations is the one to write; a polymorphic one can't name its inverse. */
function toAmbiguity({ left, right }: Pairing): Ambiguity {
  const isLeft = left.length <= right.length && !left.some(({ isPolymorphic }) => isPolymorphic);
  return isLeft ? { open: left, back: right } : { open: right, back: left };
}

/** One of the possible pairings. */
function examplePairs({ open, back }: Ambiguity): Inverses {
  const isSelf = open[0] === back[0];
  const pairs = new Map<RelationDraft, RelationDraft>();
  const taken = new Set<RelationDraft>();
  for (const relation of open) {
    if (taken.has(relation)) continue;
    const free = back.filter((one) => one !== relation && !taken.has(one));
    const other = free.find(({ isList }) => isList !== relation.isList) ??
      (isSelf ? undefined : free[0]);
    if (other === undefined) continue;
    pairs.set(relation, other);
    if (!other.isPolymorphic) pairs.set(other, relation);
    taken.add(relation).add(other);
  }
  return pairs;
}

function associationText(relation: RelationDraft, inverse: RelationDraft | undefined): string {
  return `${relation.name}: ${callOf(relation, inverse)}`;
}

function callOf(relation: RelationDraft, inverse: RelationDraft | undefined): string {
  const { isList, isPolymorphic, targets: [target = ""] } = relation;
  const said = `inverse: ${JSON.stringify(inverse?.name ?? relation.declaredInverse ?? null)}`;
  const args = isPolymorphic
    ? `{ polymorphic: true, ${said} }`
    : `${JSON.stringify(camelize(target))}, { ${said} }`;
  return `${isList ? "hasMany" : "belongsTo"}(${args})`;
}

function reasonOf({ open, back }: Ambiguity): string {
  if (open[0] === back[0]) return `${listOf(open)}: several of them may belong together`;
  return `${listOf(open)}: ${listOf(back)} may ${back.length > 1 ? "each " : ""}lead back`;
}

function listOf(relations: readonly RelationDraft[]): string {
  return enumerate(relations.map((relation) => `"${labelOf(relation)}"`), "and");
}
