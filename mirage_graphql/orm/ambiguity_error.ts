import type { Pairing } from "./pair_relations.ts";
import { labelOf, type RelationDraft } from "./relation_draft.ts";

type Inverses = ReadonlyMap<RelationDraft, RelationDraft>;

/** The error for relations that could be paired in several ways; it shows a line that settles it. */
export function ambiguityError(
  { left, right }: Pairing,
  relations: readonly RelationDraft[],
  inverses: Inverses,
): RangeError {
  const isLeftOpen = left.length <= right.length &&
    !left.some(({ isPolymorphic }) => isPolymorphic);
  const [open, back] = isLeftOpen ? [left, right] : [right, left];
  const owner = open[0]?.owner ?? "";
  const example = new Map([...inverses, ...examplePairs(open, back)]);
  const associations = relations.filter((relation) => relation.owner === owner)
    .map((relation) => associationText(relation, example, open.includes(relation)));
  return new RangeError(
    `Cannot derive the inverse of ${listOf(open)}: ${
      reasonOf(open, back)
    }. Define the model with ` +
      "the inverse that you mean, or with `inverse: null` for none, such as " +
      `\`${camelize(owner)}: Model.extend({ ${associations.join(", ")} })\``,
  );
}

/** One of the possible pairings. */
function examplePairs(open: readonly RelationDraft[], back: readonly RelationDraft[]): Inverses {
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
    if (isSelf) pairs.set(other, relation);
    taken.add(relation).add(other);
  }
  return pairs;
}

function associationText(relation: RelationDraft, inverses: Inverses, isOpen: boolean): string {
  const { name, isList, isPolymorphic, targets: [target = ""] } = relation;
  const inverse = inverses.get(relation)?.name ?? relation.saidInverse ?? null;
  const isSaid = isOpen || inverse !== null || relation.saidInverse === null;
  const options = [
    ...(isPolymorphic ? ["polymorphic: true"] : []),
    ...(isSaid ? [`inverse: ${JSON.stringify(inverse)}`] : []),
  ].join(", ");
  const args = [
    ...(isPolymorphic ? [] : [JSON.stringify(camelize(target))]),
    ...(options === "" ? [] : [`{ ${options} }`]),
  ].join(", ");
  return `${name}: ${isList ? "hasMany" : "belongsTo"}(${args})`;
}

function reasonOf(open: readonly RelationDraft[], back: readonly RelationDraft[]): string {
  if (open[0] === back[0]) return "several of them may belong together";
  return `${listOf(back)} may ${back.length > 1 ? "each " : ""}lead back`;
}

function listOf(relations: readonly RelationDraft[]): string {
  const labels = relations.map((relation) => `"${labelOf(relation)}"`);
  const last = labels.pop() ?? "";
  return labels.length === 0 ? last : `${labels.join(", ")} and ${last}`;
}

function camelize(modelName: string): string {
  return modelName.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
