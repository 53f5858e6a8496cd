import type { Draw } from "./draw.ts";
import { drawFilters } from "./draw_filters.ts";
import { drawRelations } from "./draw_relations.ts";
import type {
  AbstractSpec,
  AttributeSpec,
  ObjectSpec,
  RelationSpec,
  RootSpec,
  SchemaSpec,
} from "./schema_spec.ts";

const NAMES = [
  ["Person", "person"],
  ["HTTPLog", "httpLog"],
  ["api_user", "apiUser"],
  ["BlogPost", "blogPost"],
  ["Child", "child"],
  ["Series", "series"],
] as const;

const ATTRIBUTES: readonly AttributeSpec[] = [
  { name: "label", type: "String" },
  { name: "score", type: "Int" },
  { name: "kind", type: "Kind" },
  { name: "isOn", type: "Boolean" },
  { name: "ratio", type: "Float" },
  { name: "code", type: "ID" },
  { name: "tags", type: "[String!]" },
  { name: "grid", type: "[[Int]!]" },
  { name: "kinds", type: "[Kind]" },
  { name: "spot", type: "Spot" },
  { name: "spots", type: "[Spot]" },
];

/** Draws a schema whose relations have unambiguous inverses. */
export function drawSchema(draw: Draw): SchemaSpec {
  const objects = draw.shuffled(NAMES).slice(0, draw.int(1, 5))
    .map(([name, modelName]): ObjectSpec => ({
      name,
      modelName,
      attributes: drawAttributes(draw),
    }));
  const abstracts = drawAbstracts(draw, objects);
  const bare = drawRelations(draw, objects, abstracts);
  const relations = bare.map((relation): RelationSpec => ({
    ...relation,
    args: drawFilters(draw, relation.targets, { objects, relations: bare }),
  }));
  const roots = drawRoots(draw, { objects, abstracts, relations });
  return { objects, abstracts, relations, roots };
}

function drawAttributes(draw: Draw): AttributeSpec[] {
  return draw.some(ATTRIBUTES, 1).map(({ name, type }) => ({
    name,
    type: draw.chance(1, 5) ? `${type}!` : type,
  }));
}

function drawAbstracts(draw: Draw, objects: readonly ObjectSpec[]): AbstractSpec[] {
  const all = objects.map(({ name }) => name);
  const having = (attribute: string) =>
    objects.filter(({ attributes }) => attributes.some(({ name }) => name === attribute))
      .map(({ name }) => name);
  const label = { name: "label", type: "String" };
  const score = { name: "score", type: "Int" };
  return [
    { name: "Node", members: draw.some(all, 1), fields: [] },
    { name: "Named", members: draw.some(having("label")), fields: [label] },
    { name: "Scored", members: draw.some(having("score")), fields: [score] },
    { name: "Mix", members: draw.shuffled(draw.some(all, 1)), fields: undefined },
    { name: "Other", members: draw.some(all), fields: undefined },
  ].filter(({ members }) => members.length > 0);
}

function drawRoots(draw: Draw, spec: Omit<SchemaSpec, "roots">): RootSpec[] {
  const types = [
    ...spec.objects.map(({ name }) => ({ name, targets: [name] })),
    ...spec.abstracts.map(({ name, members }) => ({ name, targets: members })),
  ];
  return types.flatMap(({ name: typeName, targets }) =>
    (["list", "one", "connection"] as const).map((kind): RootSpec => ({
      name: `${kind}_${typeName}`,
      typeName,
      targets,
      kind,
      isNonNull: kind === "one" ? draw.chance(1, 6) : draw.chance(1, 2),
      args: drawFilters(draw, targets, spec),
    }))
  );
}
