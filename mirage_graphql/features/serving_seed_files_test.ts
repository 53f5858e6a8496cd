import { deepStrictEqual, throws } from "node:assert/strict";
import { createSeedServer } from "../testing/seed_server.ts";
import { createFetchHandler } from "../mod.ts";
import { createOrm } from "../orm/orm.ts";
import { toExecutableSchema } from "../schema/executable_schema.ts";
import { insertSeeds } from "../serving/insert_seeds.ts";
import { parseSeeds } from "../serving/read_seeds.ts";

const graphQLSchema = `
  enum Role { ADMIN GUEST }
  interface Node { id: ID! }
  type Address { city: String, lines: [String!] }
  type Person implements Node {
    id: ID!, name: String!, age: Int, role: Role, tags: [String!], address: Address
    posts: [Post!]!, friends: [Person!]!
  }
  type Post implements Node {
    id: ID!, title: String!, author: Person, labels: [Label!]!, about: Node
  }
  type Label { id: ID!, name: String!, posts: [Post!]! }
  type Query { people: [Person!]!, posts: [Post!]!, labels: [Label!]! }
`;

/** The response of a query after the seeds were inserted into a real Mirage server. */
async function seeded(seeds: object | string, query = "{ __typename }"): Promise<unknown> {
  const server = createSeedServer();
  const orm = createOrm(toExecutableSchema(graphQLSchema), server.schema);
  insertSeeds(orm, parseSeeds(orm, typeof seeds === "string" ? seeds : JSON.stringify(seeds)));
  const handler = createFetchHandler(graphQLSchema, server.schema);
  return JSON.parse(JSON.stringify(await handler.query(query)));
}

Deno.test("seeds are named by type, model or collection", async () => {
  for (const name of ["people", "Person", "person", "PERSON"]) {
    deepStrictEqual(
      await seeded({ [name]: [{ id: 7, name: "Ada" }] }, "{ people { id name } }"),
      { people: [{ id: "7", name: "Ada" }] },
      name,
    );
  }
});

Deno.test("seeds are linked by ids on either side, by foreign keys, and nested", async () => {
  const ada = { id: 1, name: "Ada" };
  const one = { id: 1, title: "One" };
  const two = { id: 2, title: "Two" };
  const cases: [string, object][] = [
    ["list of ids", { people: [{ ...ada, posts: [1, "2"] }], posts: [one, two] }],
    ["foreign keys", { people: [{ ...ada, postIds: [1, 2] }], posts: [one, two] }],
    ["the other side", {
      people: [ada],
      posts: [{ ...one, author: 1 }, { ...two, authorId: "1" }],
    }],
    ["before what it names", {
      posts: [{ ...one, author: 1 }, { ...two, author: 1 }],
      people: [ada],
    }],
    ["half and half", { people: [{ ...ada, posts: [1] }], posts: [one, { ...two, author: 1 }] }],
    ["half, other order", {
      posts: [{ ...two, author: 1 }, one],
      people: [{ ...ada, posts: [1] }],
    }],
    ["both sides", { people: [{ ...ada, posts: [1, 2] }], posts: [{ ...one, author: 1 }, two] }],
    ["nested", { people: [{ ...ada, posts: [one, two] }] }],
    ["nested id", { people: [{ ...ada, posts: [{ id: 1 }, two] }], posts: [one] }],
    ["nested parent", { posts: [{ ...one, author: { ...ada, posts: [two] } }] }],
  ];
  const query = "{ people { name posts { title author { id } } } posts { id author { name } } }";
  for (const [name, seeds] of cases) {
    const { people, posts } = await seeded(seeds, query) as Record<string, { id: string }[]>;
    const titles = (people?.[0] as unknown as { posts: { title: string }[] }).posts
      .map(({ title }) => title).sort();
    deepStrictEqual([people?.length, titles], [1, ["One", "Two"]], name);
    deepStrictEqual(
      posts?.sort((a, b) => a.id.localeCompare(b.id)),
      [{ id: "1", author: { name: "Ada" } }, { id: "2", author: { name: "Ada" } }],
      name,
    );
  }
});

Deno.test("seeds of many-to-many relations are combined from both sides", async () => {
  const seeds = {
    posts: [{ id: 1, title: "One", labels: [1] }, { id: 2, title: "Two" }],
    labels: [{ id: 1, name: "red" }, { id: 2, name: "blue", posts: [1, 2] }],
  };
  deepStrictEqual(await seeded(seeds, "{ posts { labels { name } } labels { posts { id } } }"), {
    posts: [{ labels: [{ name: "red" }, { name: "blue" }] }, { labels: [{ name: "blue" }] }],
    labels: [{ posts: [{ id: "1" }] }, { posts: [{ id: "1" }, { id: "2" }] }],
  });
});

Deno.test("seeds of an interface name their type", async () => {
  const seeds = {
    people: [{ id: 1, name: "Ada" }],
    posts: [
      { title: "One", about: { __typename: "Person", id: 1 } },
      { title: "Two", about: { type: "person", id: 1 } },
      { title: "Three", about: { __typename: "Person", name: "Eve" } },
    ],
  };
  deepStrictEqual(await seeded(seeds, "{ posts { title about { ... on Person { name } } } }"), {
    posts: [
      { title: "One", about: { name: "Ada" } },
      { title: "Two", about: { name: "Ada" } },
      { title: "Three", about: { name: "Eve" } },
    ],
  });
});

Deno.test("seeds keep embedded values, enums, lists and null", async () => {
  const ada = { name: "Ada", role: "ADMIN", tags: ["a"], address: { city: "Oslo" }, age: null };
  const query = "{ people { name role tags address { city } age } }";
  deepStrictEqual(await seeded({ people: [ada] }, query), { people: [ada] });
});

Deno.test("seeds that don't fit are rejected with their path", async () => {
  const ada = { id: 1, name: "Ada" };
  const cases: [object | string, RegExp][] = [
    ["{ nope", /^Cannot read it as JSON: .*(line 1|position 2)/],
    ["[]", /^Cannot read it: it must be an object with lists of records/],
    [
      { peple: [] },
      /^peple: Cannot use it: no type with records is named "peple"; did you mean "people"/,
    ],
    [{ people: {} }, /^people: Cannot use it: it must be a list of records/],
    [{ people: [1] }, /^people\[0\]: Cannot use it: it must be an object/],
    [
      { people: [{ ...ada, nme: "x" }] },
      /^people\[0\].nme: Cannot use it: Person has no field "nme"; did you mean "name"/,
    ],
    [
      { people: [{}] },
      /^people\[0\]: Cannot use it: "name" is missing, which is String! in Person/,
    ],
    [{ people: [{ name: null }] }, /^people\[0\].name: Cannot use it: it is String!, not null/],
    [{ people: [{ ...ada, age: "x" }] }, /^people\[0\].age: Cannot use it: it is Int, not "x"/],
    [{ people: [{ ...ada, age: 2 ** 31 }] }, /^people\[0\].age: .* it is Int, not 2147483648/],
    [
      { people: [{ ...ada, role: "BOSS" }] },
      /people\[0\].role: .* it is Role, one of ADMIN, GUEST/,
    ],
    [{ people: [{ ...ada, tags: "x" }] }, /people\[0\].tags: .* it is \[String!\], a list/],
    [
      { people: [{ ...ada, address: "Oslo" }] },
      /people\[0\].address: .* it is Address, an object/,
    ],
    [
      { people: [{ ...ada, address: { cty: "Oslo" } }] },
      /people\[0\].address.cty: .* Address has no field "cty"; did you mean "city"/,
    ],
    [
      { people: [{ ...ada, address: { lines: ["a", 1] } }] },
      /people\[0\].address.lines\[1\]: .* it is String, not 1/,
    ],
    [{ people: [{ ...ada, id: {} }] }, /people\[0\].id: .* an id is a text or a number/],
    [{ people: [{ ...ada, posts: 1 }] }, /people\[0\].posts: .* it must be a list/],
    [
      { people: [{ ...ada, posts: [true] }] },
      /people\[0\].posts\[0\]: .* must be an id or a record/,
    ],
    [
      { people: [{ ...ada, posts: [9] }] },
      /^people\[0\].posts: Cannot link "9" .*there is no Post "9"/,
    ],
    [{ people: [{ ...ada, posts: [{}] }] }, /people\[0\].posts\[0\]: .* "title" is missing/],
    [{ people: [ada, ada] }, /^people\[1\]: Cannot .*Person "1"/],
    [
      { posts: [{ title: "One", author: [1] }] },
      /posts\[0\].author: .* it must be one, not a list/,
    ],
    [{ posts: [{ title: "One", about: 1 }] }, /posts\[0\].about: .* give the "__typename"/],
    [
      { posts: [{ title: "One", about: { __typename: "Nope", id: 1 } }] },
      /posts\[0\].about: .*"Nope"/,
    ],
    [
      {
        people: [{ ...ada, posts: [1] }, { id: 2, name: "Eve" }],
        posts: [{ id: 1, title: "One", author: 2 }],
      },
      /^people\[0\].posts: Cannot link post "1": its "author" leads to another record/,
    ],
  ];
  for (const [seeds, message] of cases) {
    throws(
      () => {
        const orm = createOrm(toExecutableSchema(graphQLSchema), createSeedServer().schema);
        insertSeeds(
          orm,
          parseSeeds(orm, typeof seeds === "string" ? seeds : JSON.stringify(seeds)),
        );
      },
      { name: "ServeError", message },
      JSON.stringify(seeds),
    );
  }
  await seeded({});
});
