import type { Draw } from "./draw.ts";
import type { RelationSpec, SchemaSpec } from "./schema_spec.ts";
import { type PlainRecord, recordsOf, type World } from "./world.ts";

const LABELS = ["a", "b", "null", "1", "ü 日本", "true", ""];
const IDS = ["10", "a:b", "日本", "ß-1", "x y"];

/** Draws records and their links. */
export function drawWorld(draw: Draw, spec: SchemaSpec): World {
  const records = spec.objects.flatMap(({ name }) => {
    const ids = Array.from({ length: draw.int(0, 6) }, (_, index) => String(index + 1));
    if (draw.chance(1, 3)) ids.push(draw.pick(IDS));
    return ids.map((id) => drawRecord(draw, spec, { typeName: name, id }));
  });
  const world = { spec, records };
  for (const relation of spec.relations) {
    if (!relation.isDerived) drawLinks(draw, world, relation);
  }
  return world;
}

/** Draws a record of a type, without links. */
export function drawRecord(
  draw: Draw,
  spec: SchemaSpec,
  { typeName, id }: Pick<PlainRecord, "typeName" | "id">,
): PlainRecord {
  const attributes: Record<string, unknown> = {};
  for (
    const { name, type } of spec.objects.find((one) => one.name === typeName)?.attributes ?? []
  ) {
    if (draw.chance(1, 12)) continue;
    attributes[name] = drawValue(draw, type);
  }
  return { typeName, id, attributes, links: new Map() };
}

/** Draws a value of a type, `null` if that is allowed. */
export function drawValue(draw: Draw, type: string): unknown {
  if (type.endsWith("!")) return drawNonNull(draw, type.slice(0, -1));
  return draw.chance(1, 6) ? null : drawNonNull(draw, type);
}

function drawNonNull(draw: Draw, type: string): unknown {
  if (type.startsWith("[")) {
    return Array.from({ length: draw.int(0, 3) }, () => drawValue(draw, type.slice(1, -1)));
  }
  switch (type) {
    case "Int":
      return draw.int(-1, 3);
    case "Float":
      return draw.int(-2, 5) / 2;
    case "Boolean":
      return draw.chance(1, 2);
    case "Kind":
      return draw.pick(["RED", "GREEN", "BLUE"]);
    case "Spot":
      return drawSpot(draw);
    default:
      return draw.pick(LABELS);
  }
}

function drawSpot(draw: Draw): unknown {
  const spot = { x: draw.int(0, 3), label: drawValue(draw, "String"), tags: ["t", null] };
  return draw.chance(1, 3) ? { ...spot, inner: drawSpot(draw) } : spot;
}

/**
 * In a one-to-one relation, no record is linked twice. No record is linked to itself, which Mirage
 * doesn't support.
 */
function drawLinks(draw: Draw, world: World, relation: RelationSpec): void {
  const { owner, name, targets, kind, inverse } = relation;
  const back = world.spec.relations.find((one) =>
    one.name === inverse && targets.includes(one.owner)
  );
  const taken = new Set<PlainRecord>();
  for (const record of recordsOf(world, [owner])) {
    const free = recordsOf(world, targets)
      .filter((other) => !taken.has(other) && other !== record);
    const links = kind === "one"
      ? free.length > 0 && draw.chance(3, 4) ? [draw.pick(free)] : []
      : draw.shuffled(draw.some(free));
    record.links.set(name, links);
    if (back?.kind === "one") links.forEach((other) => taken.add(other));
  }
}
