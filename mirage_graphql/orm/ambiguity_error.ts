import type { Pairing } from "./pair_relations.ts";
import { labelOf, type RelationDraft } from "./relation_draft.ts";

/** The error for relations that could be paired in several ways; it shows a line that settles it. */
export function ambiguityError(
  { left, right }: Pairing,
  relations: readonly RelationDraft[],
  inverses: ReadonlyMap<RelationDraft, RelationDraft>,
): RangeError {
  const [open, back] = left.length <= right.length ? [left, right] : [right, left];
  const chosen = new Map(inverses);
  open.forEach((relation, index) => {
    const other = back.find((one, at) => at >= index && one.isList !== relation.isList) ??
      back[index];
    if (other !== undefined && other !== relation) chosen.set(relation, other);
  });
  const owner = open[0]?.owner ?? "";
  const model = relations.filter((relation) => relation.owner === owner);
  const settled = new Set([...open, ...chosen.keys()]);
  const lines = model.map((relation) => lineOf(relation, settled.has(relation), chosen));
  return new RangeError(
    `Cannot derive the inverse of ${listOf(open)}: ${listOf(back)} may lead back. ` +
      `Define the model that has it, such as ` +
      `\`${camelize(owner)}: Model.extend({ ${lines.join(", ")} })\`, ` +
      "and write `inverse: null` where nothing leads back",
  );
}

function lineOf(
  relation: RelationDraft,
  isSettled: boolean,
  inverses: ReadonlyMap<RelationDraft, RelationDraft>,
): string {
  const inverse = inverses.get(relation)?.name;
  const options = [
    ...(relation.isPolymorphic ? ["polymorphic: true"] : []),
    ...(isSettled ? [`inverse: ${inverse === undefined ? "null" : `"${inverse}"`}`] : []),
  ];
  const modelName = relation.isPolymorphic ? [] : [`"${camelize(relation.targets[0] ?? "")}"`];
  const args = [...modelName, ...(options.length > 0 ? [`{ ${options.join(", ")} }`] : [])];
  return `${relation.name}: ${relation.isList ? "hasMany" : "belongsTo"}(${args.join(", ")})`;
}

function listOf(relations: readonly RelationDraft[]): string {
  const labels = relations.map((relation) => `"${labelOf(relation)}"`);
  return labels.length < 2
    ? labels.join("")
    : `${labels.slice(0, -1).join(", ")} or ${labels.at(-1)}`;
}

function camelize(modelName: string): string {
  return modelName.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
