import fc from "fast-check";
import { times } from "../../test_support/tier.ts";
import { deepStrictEqual } from "node:assert/strict";
import type { MirageCollection, MirageModel } from "../orm/mirage/mirage_schema.ts";
import { createRecord, deleteRecord, updateRecord } from "../orm/writes/write_records.ts";
import { createMutationServer, type MutationServer } from "../testing/mutation_server.ts";

const WORLD = `
  type Query { people: [Person] }
  union Subject = Person | Post
  type Person {
    id: ID! manager: Person reports: [Person!] passport: Passport
    written: [Post!] edited: [Post!] notes: [Note!]
  }
  type Passport { id: ID! holder: Person }
  type Post { id: ID! writer: Person editor: Person tags: [Tag!] notes: [Note!] }
  type Tag { id: ID! posts: [Post!] }
  type Note { id: ID! subject: Subject }
`;

const TYPES = ["Person", "Passport", "Post", "Tag", "Note"];

const STEP = fc.record({
  action: fc.constantFrom("create", "create", "update", "update", "update", "delete"),
  type: fc.constantFrom(...TYPES),
  pick: fc.nat(),
  links: fc.array(
    fc.record({
      relation: fc.nat(),
      targets: fc.array(fc.nat(), { maxLength: 4 }),
      asNested: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never;

Deno.test("after any writes, both sides of every relation agree", () => {
  fc.assert(
    fc.property(fc.array(STEP, { minLength: 10, maxLength: 40 }), (steps) => {
      using server = createMutationServer(WORLD);
      for (const step of steps) {
        perform(server, step);
        deepStrictEqual(disagreements(server), []);
      }
      deepStrictEqual(linksByMirage(server), links(server));
    }),
    { numRuns: times(20, 100) },
  );
});

function perform(server: MutationServer, step: Step): void {
  const model = server.model(step.type);
  const records = server.table(model.collectionName);
  const input = linkInput(server, step);
  if (step.action === "create" || records.length === 0) {
    return void createRecord(server, model, input);
  }
  const ref = { modelName: model.modelName, id: String(records[step.pick % records.length]?.id) };
  if (step.action === "delete") deleteRecord(server, ref);
  else updateRecord(server, ref, input);
}

function linkInput(server: MutationServer, step: Step): Record<string, unknown> {
  const relations = [...server.model(step.type).relations.values()];
  return Object.fromEntries(step.links.map(({ relation, targets, asNested }) => {
    const { name, isList, modelName } = relations[relation % relations.length]!;
    const names = modelName === undefined ? ["person", "post"] : [modelName];
    const candidates = names.flatMap((type) =>
      server.table(server.models.ofModel(type)!.collectionName).map(({ id }) =>
        modelName === undefined ? { type, id } : id
      )
    );
    const chosen: unknown[] = candidates.length === 0
      ? []
      : targets.map((target) => candidates[target % candidates.length]);
    if (asNested && modelName !== undefined) chosen.push({});
    return [name, isList ? chosen : chosen.at(-1) ?? null];
  }));
}

/** Every link that is missing on the other side, or leads to no record. */
function disagreements(server: MutationServer): string[] {
  const all = links(server);
  return [...all].flatMap(([from, related]) =>
    [...related].filter((to) => !all.get(to)?.has(from)).map((to) => `${from} -> ${to}`)
  );
}

/** The same links, as Mirage's own models follow them. */
function linksByMirage(server: MutationServer): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  for (const { modelName, collectionName, relations } of server.models.models) {
    for (const { id } of server.table(collectionName)) {
      const model = server.mirageSchema.find(modelName, String(id))!;
      for (const { name, isList } of relations.values()) {
        const related = (isList
          ? (model[name] as MirageCollection).models
          : [model[name] ?? []].flat()) as MirageModel[];
        const inverse = INVERSES[`${modelName}.${name}`];
        const ends = related.map((other) =>
          `${other.modelName}:${other.id}.${inverse}`
        );
        all.set(`${modelName}:${id}.${name}`, new Set(ends));
      }
    }
  }
  return all;
}

const INVERSES: Readonly<Record<string, string>> = {
  "person.manager": "reports",
  "person.reports": "manager",
  "person.passport": "holder",
  "person.written": "writer",
  "person.edited": "editor",
  "person.notes": "subject",
  "passport.holder": "passport",
  "post.writer": "written",
  "post.editor": "edited",
  "post.tags": "posts",
  "post.notes": "subject",
  "tag.posts": "tags",
  "note.subject": "notes",
};

/** Maps `person:1.manager` to the set of `person:2.reports` that it must agree with. */
function links(server: MutationServer): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  for (const { modelName, collectionName, relations } of server.models.models) {
    for (const record of server.table(collectionName)) {
      for (const relation of relations.values()) {
        const inverse = INVERSES[`${modelName}.${relation.name}`];
        const keys = [record[relation.foreignKey] ?? []]
          .flat() as (string | { type: string; id: string })[];
        const ends = keys.map((key) =>
          typeof key === "string" ? `${relation.modelName}:${key}` : `${key.type}:${key.id}`
        );
        const from = `${modelName}:${record.id}.${relation.name}`;
        all.set(from, new Set(ends.map((end) => `${end}.${inverse}`)));
      }
    }
  }
  return all;
}
