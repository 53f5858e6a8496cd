import type { MockModel, Relation } from "./models/model_map.ts";
import { nameKey } from "./models/model_names.ts";

const found = new WeakMap<MockModel, Map<string, Relation | undefined>>();

/**
 * The relation of a model that a name means: the relation's own, its foreign key's, or that of the
 * foreign key in another casing, as schemas write it: `author_id` is Mirage's `authorId`.
 */
export function relationNamed(model: MockModel, name: string): Relation | undefined {
  const known = found.get(model) ?? new Map<string, Relation | undefined>();
  found.set(model, known);
  if (!known.has(name)) known.set(name, findRelation(model, name));
  return known.get(name);
}

function findRelation({ relations }: MockModel, name: string): Relation | undefined {
  const all = [...relations.values()];
  return relations.get(name) ?? all.find(({ foreignKey }) => foreignKey === name) ??
    all.find(({ foreignKey }) => nameKey(foreignKey) === nameKey(name));
}
