import { withCommon } from "../mock/common_conventions.ts";
import { deepStrictEqual, match } from "node:assert/strict";
import fc from "fast-check";
import { times } from "../../test_support/tier.ts";
import {
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  isCompositeType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from "graphql";
import { FAMILIES } from "../bench/reach/subjects.ts";
import { parseConventions } from "../dialects/options.ts";
import { createFetchHandler } from "../mod.ts";
import { createOrm, type Orm } from "../orm/orm.ts";
import { inverseOf } from "../orm/mirage/inverse_of.ts";
import { readRefs } from "../orm/writes/record_ref.ts";
import { generateTables } from "../seeding/generate_tables.ts";
import { toExecutableSchema } from "../schema/executable_schema.ts";
import { insertTables } from "../serving/insert_seeds.ts";
import { loadMock } from "../serving/load_mock.ts";
import { createSeedServer } from "../testing/seed_server.ts";

type Field = GraphQLField<unknown, unknown>;
type Row = Readonly<Record<string, unknown>>;

const OPTIONS = {
  conventions: "common",
  unknownArguments: "ignore",
  defaults: "generate",
} as const;

const LINKED = `
  enum Role { ADMIN GUEST }
  interface Node { id: ID! }
  type User implements Node {
    id: ID! name: String! role: Role! managerId: ID manager: User reports: [User!]!
    posts: [Post!]! posts_count: Int! commentsCount: Int! comments: [Comment!]!
    post_ids: [ID!]! profile: Profile! profileId: ID!
  }
  type Profile implements Node { id: ID! user: User! user_id: ID! bio: String! }
  type Post implements Node {
    id: ID! title: String! user: User! user_id: ID! tags: [Tag!]! tagIds: [ID!]! totalTags: Int!
    comments: [Comment!]! subject: Node
  }
  type Comment { id: ID! body: String! postId: ID! post: Post! authorId: Int! author: User }
  type Tag { id: ID! name: String! posts: [Post!]! }
  type Query { users: [User!]! usersCount: Int! version: String! }
`;

/** The small schemas in the style of public APIs need the conventions to be read. */
const SCHEMAS = [
  { text: LINKED, options: OPTIONS },
  { text: LINKED, options: { ...OPTIONS, conventions: "strict" } as const },
  ...FAMILIES.map(({ schema }) => ({ text: schema, options: OPTIONS })),
];

function isPlain({ args }: Field): boolean {
  return !args.some(isRequiredArgument);
}

/** Selects leaf fields, and the ids of related objects and lists. */
function selectionOf(type: GraphQLObjectType): string {
  const fields = Object.values(type.getFields()).filter(isPlain).flatMap((field) => {
    const named = getNamedType(field.type);
    if (isLeafType(named)) return [field.name];
    return isObjectType(named) && named.getFields().id ? [`${field.name} { id }`] : [];
  });
  return `{ ${fields.join(" ")} }`;
}

/** Where a record's plain values contradict its relations. */
function contradictionsOf(type: GraphQLObjectType, row: Row): string[] {
  const fields = Object.values(type.getFields());
  return fields.filter(({ type }) => isLeafType(getNamedType(type))).flatMap((field) => {
    const [, one = "", many = "", counted = ""] =
      /^(?:(.+?)_?[iI]d|(.+?)_?[iI]ds|(.+?)_?[cC]ount)$/.exec(field.name) ?? [];
    const [, total = ""] = /^total([A-Z].*)$/.exec(field.name) ?? [];
    const related = fields.find(({ name, type }) =>
      isCompositeType(getNamedType(type)) && Object.hasOwn(row, name) &&
      [one, `${many}s`, counted, total.toLowerCase()].includes(name)
    );
    if (related === undefined) return [];
    const held = row[field.name];
    const wanted = idsOf(row[related.name]);
    const isSame = one !== ""
      ? JSON.stringify(held === null ? [] : [String(held)]) === JSON.stringify(wanted)
      : many !== ""
      ? JSON.stringify(held) === JSON.stringify(wanted)
      : held === wanted.length;
    return isSame ? [] : [`${type.name}.${field.name} is ${JSON.stringify(held)}, not ${wanted}`];
  });
}

function idsOf(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item) =>
    typeof item === "object" && item !== null && "id" in item ? [String(item.id)] : []
  );
}

/** Records whose relations lead to records that don't lead back. */
function oneSided(orm: Orm): string[] {
  return orm.models.models.flatMap((model) =>
    Object.values(orm.mirageSchema.associationsFor(model.modelName)).flatMap((association) =>
      orm.store.of(model).select().flatMap((record) =>
        readRefs({ ...record }, association).flatMap((ref) => {
          const inverse = inverseOf(orm.mirageSchema, association, ref.modelName);
          const target = orm.models.ofModel(ref.modelName);
          if (inverse === undefined || target === undefined) return [];
          const back = readRefs({ ...orm.store.of(target).find(ref.id) }, inverse);
          const isBack = back.some(({ id, modelName }) =>
            id === String(record.id) && modelName === model.modelName
          );
          return isBack ? [] : [`${model.typeName}.${association.name} ${record.id} -> ${ref.id}`];
        })
      )
    )
  );
}

Deno.test("generated records are consistent, whatever the seed and the number", async () => {
  const draws = fc.record({
    kind: fc.constantFrom(...SCHEMAS),
    seed: fc.nat(1_000),
    count: fc.integer({ min: 1, max: 7 }),
  });
  await fc.assert(
    fc.asyncProperty(draws, async ({ kind: { text, options }, seed, count }) => {
      const server = createSeedServer();
      const schema = toExecutableSchema(text);
      const orm = createOrm(schema, server.schema, parseConventions(withCommon(options)));
      insertTables(orm, generateTables(orm, { seed, count }));
      deepStrictEqual(oneSided(orm), []);

      const types = orm.models.models.map(({ typeName }) => schema.getType(typeName))
        .filter(isObjectType);
      const query = schema.getQueryType()?.name ?? "";
      const lists = types.map(({ name }) => `own_${name}: [${name}!]!`).join(" ");
      const whole = `${text} extend type ${query} { ${lists} }`;
      const handler = createFetchHandler(whole, server.schema, options);
      const data = await handler.query(
        `{ ${types.map((type) => `own_${type.name} ${selectionOf(type)}`).join(" ")} }`,
      );
      const found = types.flatMap((type) => {
        const rows: Row[] = JSON.parse(JSON.stringify(data[`own_${type.name}`]));
        return rows.flatMap((row) => contradictionsOf(type, row));
      });
      deepStrictEqual(found, []);
    }),
    { numRuns: times(12, 60), interruptAfterTimeLimit: 20_000 },
  );
});

Deno.test("loadMock() generates no number that counts records", async () => {
  const mock = await loadMock([{ path: "linked.graphql", text: LINKED }]);
  const query = "{ usersCount version users { id } }";
  const response = await mock.respond(new Request(`http://localhost/?query=${query}`));
  mock.close();
  const { data: { usersCount, version, users } } = await response.json();
  deepStrictEqual(usersCount, users.length);
  match(version, /^\d/);
});
