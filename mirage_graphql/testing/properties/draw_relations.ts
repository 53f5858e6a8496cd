import type { Draw } from "./draw.ts";
import type { AbstractSpec, ObjectSpec, RelationSpec } from "./schema_spec.ts";

type Bare = Omit<RelationSpec, "args">;

/** A name for a relation to one record, one for a relation to many, and its singular. */
type Word = readonly [one: string, many: string, singular: string];

/** The two sides of a pair have the same word. */
const WORDS: readonly Word[] = [
  ["Red", "Reds", "Red"],
  ["Owner", "Owned", "Owned"],
  ["Key", "Keys", "Key"],
  ["Box", "Boxes", "Box"],
];

/** Draws relations between every two types, of types with themselves, and to abstract types. */
export function drawRelations(
  draw: Draw,
  objects: readonly ObjectSpec[],
  abstracts: readonly AbstractSpec[],
): Bare[] {
  const relations: Bare[] = [];
  for (const [index, a] of objects.entries()) {
    relations.push(...drawSelfRelations(draw, a.name));
    for (const b of objects.slice(index + 1)) {
      relations.push(...drawPairs(draw, a.name, b.name));
    }
  }
  for (const { name: owner } of objects) {
    for (const abstract of abstracts) {
      if (draw.chance(1, 3)) relations.push(...drawAbstract(draw, owner, { abstract, relations }));
    }
  }
  return relations;
}

/** What a relation to an abstract type must be compatible with. */
interface Surroundings {
  readonly abstract: AbstractSpec;
  readonly relations: readonly Bare[];
}

/**
 * A relation to an abstract type. A relation that leads back would count as its inverse, so there
 * is none, or it is the inverse; `Node` has no inverse.
 */
function drawAbstract(draw: Draw, owner: string, { abstract, relations }: Surroundings): Bare[] {
  const { name, members: targets } = abstract;
  const isJoined = (a: string, b: string) =>
    relations.some((one) => one.owner === a && one.targets.includes(b));
  const leadsBack = targets.some((target) => isJoined(target, owner));
  if (leadsBack && name !== "Node") return [];
  const isFree = !leadsBack && !targets.includes(owner) &&
    !targets.some((target) => isJoined(owner, target));
  const word: Word = [`any${name}`, `all${name}s`, `all${name}`];
  const there = relation(draw, owner, { name, targets }, { word, isMany: draw.chance(1, 2) });
  if (name === "Node" || !isFree || draw.chance(1, 3)) return [there];
  const isMany = draw.chance(2, 3);
  const back = relation(draw, "", { name: owner, targets: [owner] }, {
    word: own(["Back", "Backs", "Back"], owner),
    isMany,
  });
  const backs = targets.map((target) => ({ ...back, owner: target, ...derivedFrom(there) }));
  return [{ ...there, inverse: back.name }, ...backs];
}

function drawSelfRelations(draw: Draw, name: string): Bare[] {
  const target = { name, targets: [name] };
  const kind = draw.pick(["none", "pair", "one-way"] as const);
  if (kind === "none") return [];
  if (kind === "pair") {
    const parent = relation(draw, name, target, { word: ["parent", "", ""], isMany: false });
    const children = relation(draw, name, target, {
      word: ["", "children", "child"],
      isMany: true,
    });
    return [{ ...parent, inverse: children.name }, { ...children, ...derivedFrom(parent) }];
  }
  const isMany = draw.chance(1, 2);
  return draw.some(WORDS, 1).slice(0, 2).map((word) =>
    relation(draw, name, target, { word: own(word, name), isMany })
  );
}

/** Either pairs of relations that are inverse to each other, or relations in one direction only. */
function drawPairs(draw: Draw, a: string, b: string): Bare[] {
  const kind = draw.pick(["none", "none", "pairs", "one-way"] as const);
  if (kind === "none") return [];
  return draw.some(WORDS, 1).slice(0, 2).flatMap((word): Bare[] => {
    const toB = relation(draw, a, { name: b, targets: [b] }, {
      word: own(word, b),
      isMany: draw.chance(1, 2),
    });
    if (kind === "one-way") return [toB];
    const toA = relation(draw, b, { name: a, targets: [a] }, {
      word: own(word, a),
      isMany: draw.chance(1, 2),
    });
    const [seeded, derived] = toB.kind !== "one" && toA.kind === "one" ? [toA, toB] : [toB, toA];
    return [{ ...seeded, inverse: derived.name }, { ...derived, ...derivedFrom(seeded) }];
  });
}

function derivedFrom(seeded: Bare): Pick<Bare, "inverse" | "isDerived"> {
  return { inverse: seeded.name, isDerived: true };
}

/** Names of relations consist of type and word, so that each is unique. */
function own([one, many, singular]: Word, typeName: string): Word {
  const type = typeName.replace("_u", "U").replace(
    /^[A-Z]+(?=[A-Z])|^[A-Z]/,
    (start) => start.toLowerCase(),
  );
  return [type + one, type + many, type + singular];
}

function relation(
  draw: Draw,
  owner: string,
  target: { readonly name: string; readonly targets: readonly string[] },
  { word: [one, many, singular], isMany }: { readonly word: Word; readonly isMany: boolean },
): Bare {
  return {
    owner,
    name: isMany ? many : one,
    foreignKey: isMany ? `${singular}Ids` : `${one}Id`,
    typeName: target.name,
    targets: target.targets,
    kind: isMany ? draw.pick(["list", "connection"]) : "one",
    isNonNull: draw.chance(1, isMany ? 2 : 8),
    isDerived: false,
  };
}
