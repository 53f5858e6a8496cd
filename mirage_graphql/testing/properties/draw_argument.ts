import {
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  isListType,
  isNonNullType,
} from "graphql";
import type { Draw } from "./draw.ts";
import { drawValue } from "./draw_world.ts";
import { cursorOf } from "./naive_page.ts";
import { type PlainRecord, recordsOf, relatedTo, relationNamed, type World } from "./world.ts";

/** An argument, and the types whose records it selects from. */
export interface ArgumentPlace {
  readonly arg: GraphQLArgument;
  readonly targets: readonly string[];
}

/** Draws the value of an argument: mostly the value of some record, sometimes `null`. */
export function drawArgument(draw: Draw, world: World, { arg, targets }: ArgumentPlace): unknown {
  const records = recordsOf(world, targets);
  if (draw.chance(1, 7) && !isNonNullType(arg.type)) return null;
  if (arg.name === "first" || arg.name === "last") {
    return draw.int(0, 12) - (draw.chance(1, 4) ? 1 : 0);
  }
  if (arg.name === "after" || arg.name === "before") {
    const isKnown = records.length > 0 && draw.chance(9, 10);
    return isKnown ? cursorOf(draw.pick(records)) : draw.pick(["", "?", "UGVyc29uOjk5"]);
  }
  const one = () => drawWanted(draw, world, { arg, targets });
  if (!isListType(getNullableType(arg.type))) return one();
  return Array.from({ length: draw.int(0, 3) }, one);
}

function drawWanted(draw: Draw, world: World, { arg, targets }: ArgumentPlace): unknown {
  const records = recordsOf(world, targets);
  const values = records.length === 0 ? [] : valuesOf(world, draw.pick(records), arg.name);
  const isFound = values.length > 0 && draw.chance(4, 5);
  return isFound ? draw.pick(values) : drawValue(draw, `${getNamedType(arg.type).name}!`);
}

function valuesOf(world: World, record: PlainRecord, name: string): unknown[] {
  if (name === "id") return [record.id];
  const relation = relationNamed(world, record.typeName, name);
  if (relation !== undefined) return relatedTo(world, record, relation).map(({ id }) => id);
  const value = record.attributes[name] ?? null;
  return value === null ? [] : [value];
}
