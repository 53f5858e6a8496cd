import type { Draw } from "./draw.ts";
import type { AttributeSpec, ObjectSpec, RelationSpec } from "./schema_spec.ts";

const FILTERABLE = new Set(["String", "Int", "Kind", "Boolean", "Float", "ID"]);

/** What arguments are drawn from. */
export interface Fields {
  readonly objects: readonly ObjectSpec[];
  readonly relations: readonly Omit<RelationSpec, "args">[];
}

/** Draws arguments that filter by the fields of the types: attributes, relations, foreign keys. */
export function drawFilters(
  draw: Draw,
  typeNames: readonly string[],
  { objects, relations }: Fields,
): AttributeSpec[] {
  const attributes = objects.filter(({ name }) => typeNames.includes(name))
    .flatMap((object) => object.attributes)
    .map(({ name, type }) => ({ name, type: type.replace("!", "") }))
    .filter(({ type }) => FILTERABLE.has(type));
  const ids = relations.filter(({ owner }) => typeNames.includes(owner))
    .map(({ name, foreignKey }) => ({ name: draw.pick([name, foreignKey]), type: "ID" }));
  const all = [{ name: "id", type: "ID" }, ...attributes, ...ids];
  const byName = new Map(all.map((argument) => [argument.name, argument]));
  return draw.some([...byName.values()]).map(({ name, type }) => ({
    name,
    type: draw.pick([type, type, `[${type}!]`, `[${type}!]`]),
  }));
}
