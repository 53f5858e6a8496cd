import { deepStrictEqual, match } from "node:assert/strict";
import fc from "fast-check";
import { times } from "../../test_support/tier.ts";
import { belongsTo, hasMany, Model } from "miragejs";
import {
  isMirageCollection,
  isMirageModel,
  type MirageAssociation,
  type MirageSchema,
} from "../orm/mirage/mirage_schema.ts";
import type { MockModel, ModelMap } from "../orm/models/model_map.ts";
import { type MockServer, startMirage } from "../testing/model_server.ts";

const NAMES = [
  "author",
  "authoredBy",
  "edited",
  "editors",
  "parent",
  "child",
  "owner",
  "likes",
  "x",
];
const UNIONS: Readonly<Record<string, string[]>> = { Thing: ["A", "B"], Any: ["A", "B", "C"] };

const fields = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(...NAMES),
    target: fc.constantFrom("A", "B", "C", "A", "B", "C", "Thing", "Any"),
    isList: fc.boolean(),
  }),
  { selector: ({ name }) => name, maxLength: 4 },
).map((relations) =>
  relations.map(({ name, target, isList }) => `${name}: ${isList ? `[${target}]` : target}`)
);

const schemas = fc.record({ A: fields, B: fields, C: fields }).map((types) => {
  const unions = Object.entries(UNIONS).map(([name, members]) =>
    `union ${name} = ${members.join(" | ")}`
  );
  const objects = Object.entries(types).map(([name, lines]) =>
    `type ${name} { id: ID! ${lines.join(" ")} }`
  );
  return ["type Query { n: Int }", ...unions, ...objects].join("\n");
});

Deno.test("ensureModels() links both sides in every schema, if necessary with the line it suggests", () => {
  fc.assert(
    fc.property(schemas, (typeDefs) => {
      const line = shownModels(typeDefs);
      using mirage = startMirage(line && evaluate(line));
      checkLinks(mirage, mirage.ensure(typeDefs), typeDefs);
    }),
    { numRuns: times(60, 300) },
  );
});

/** The models that the error for an ambiguous schema shows; `undefined` for any other schema. */
function shownModels(typeDefs: string): string | undefined {
  using mirage = startMirage();
  try {
    mirage.ensure(typeDefs);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    match(message, /^Cannot derive the inverse of .* such as `models: .*`$/);
    return message.replace(/^.*`models: (.*)`$/, "$1");
  }
}

function evaluate(line: string) {
  const create = new Function("Model", "hasMany", "belongsTo", `return ${line};`);
  return create(Model, hasMany, belongsTo);
}

/** Writes each relation of each model once, and reads it from both sides. */
function checkLinks({ mockSchema }: MockServer, models: ModelMap, typeDefs: string): void {
  for (const model of models.models) {
    for (const association of Object.values(mockSchema.associationsFor(model.modelName))) {
      for (const target of targetsOf(association, model, typeDefs)) {
        checkLink(mockSchema, model, association, target);
      }
    }
  }
}

function checkLink(
  mockSchema: MirageSchema,
  { modelName }: MockModel,
  association: MirageAssociation,
  target: string,
): void {
  const { name, type } = association;
  const other = mockSchema.create(target);
  const one = mockSchema.create(modelName, { [name]: type === "hasMany" ? [other] : other });

  deepStrictEqual(idsOf(one.reload()[name]), [other.toString()]);
  for (const candidate of Object.values(mockSchema.associationsFor(target))) {
    const isBack = association.isPolymorphic
      ? candidate.opts.inverse === name && candidate.modelName === modelName
      : candidate.name === association.opts.inverse;
    const expected = isBack ? [one.toString()] : [];
    deepStrictEqual(idsOf(other.reload()[candidate.name]), expected, `${target}.${candidate.name}`);
  }
}

function idsOf(value: unknown): string[] {
  if (isMirageCollection(value)) return value.models.map(String);
  return isMirageModel(value) ? [String(value)] : [];
}

function targetsOf(association: MirageAssociation, model: MockModel, typeDefs: string): string[] {
  if (!association.isPolymorphic) return [association.modelName];
  const type = typeDefs.match(
    new RegExp(`type ${model.typeName} .*\\b${association.name}: \\[?(\\w+)`),
  );
  return (UNIONS[type?.[1] ?? ""] ?? []).map((name) => name.toLowerCase());
}
