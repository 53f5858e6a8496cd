import { deepStrictEqual } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  type Person { id: ID! name: String manager: Person reports: [Person!]! posts(title: String): [Post!]! }
  type Post { id: ID! title: String author: Person tags: [Tag!]! }
  type Tag { id: ID! label: String posts: [Post!]! }
  type Query { people(name: String): [Person!]! person(id: ID): Person posts: [Post!]! }
`;

const DATA = {
  people: [
    { id: "1", name: "Ada", managerId: null, reportIds: ["2", "3"], postIds: ["1", "2"] },
    { id: "2", name: "Bo", managerId: "1", reportIds: ["4"], postIds: [] },
    { id: "3", name: "Cy", managerId: "1", reportIds: [], postIds: [] },
    { id: "4", name: "Di", managerId: "2", reportIds: [], postIds: [] },
  ],
  posts: [
    { id: "1", title: "One", authorId: "1", tagIds: ["1", "2"] },
    { id: "2", title: "Two", authorId: "1", tagIds: ["2"] },
  ],
  tags: [{ id: "1", label: "a", postIds: ["1"] }, { id: "2", label: "b", postIds: ["1", "2"] }],
};

const CASES: readonly [name: string, query: string, expected: unknown][] = [
  [
    "aliases of one field have their own arguments",
    `{ a: people(name: "Ada") { n: name } b: people(name: "Bo") { name }
       person(id: 1) { one: posts(title: "One") { id } two: posts(title: "Two") { id } posts { id } } }`,
    {
      a: [{ n: "Ada" }],
      b: [{ name: "Bo" }],
      person: { one: [{ id: "1" }], two: [{ id: "2" }], posts: [{ id: "1" }, { id: "2" }] },
    },
  ],
  [
    "aliases may be named like other fields",
    "{ person(id: 2) { id: name name: id manager: reports { name } reports: manager { name } } }",
    { person: { id: "Bo", name: "2", manager: [{ name: "Di" }], reports: { name: "Ada" } } },
  ],
  [
    "relations of a type with itself go up and down",
    "{ person(id: 4) { manager { name manager { name manager { name } reports { name } } } } }",
    {
      person: {
        manager: {
          name: "Bo",
          manager: { name: "Ada", manager: null, reports: [{ name: "Bo" }, { name: "Cy" }] },
        },
      },
    },
  ],
  [
    "many-to-many relations are read from both sides",
    "{ posts { title tags { label posts { title } } } }",
    {
      posts: [
        {
          title: "One",
          tags: [
            { label: "a", posts: [{ title: "One" }] },
            { label: "b", posts: [{ title: "One" }, { title: "Two" }] },
          ],
        },
        { title: "Two", tags: [{ label: "b", posts: [{ title: "One" }, { title: "Two" }] }] },
      ],
    },
  ],
  [
    "named fragments are spread in several places",
    `{ person(id: 1) { ...who reports { ...who } } posts { author { ...who } } }
     fragment who on Person { id ...named } fragment named on Person { name }`,
    {
      person: { id: "1", name: "Ada", reports: [{ id: "2", name: "Bo" }, { id: "3", name: "Cy" }] },
      posts: [{ author: { id: "1", name: "Ada" } }, { author: { id: "1", name: "Ada" } }],
    },
  ],
  [
    "fields that @skip and @include exclude are absent",
    "{ person(id: 1) { id name @skip(if: true) posts @include(if: false) { id } } }",
    { person: { id: "1" } },
  ],
];

for (const [name, query, expected] of CASES) {
  Deno.test(`documents: ${name}`, async () => {
    deepStrictEqual(await createMockServer(SCHEMA, { data: DATA }).data(query), expected);
  });
}

Deno.test("documents: twenty levels of relations are resolved", async () => {
  const levels = 20;
  const query = `{ person(id: 1) { ${"posts { author { ".repeat(levels)} name ${
    "} }".repeat(levels)
  } } }`;
  let { person } = await createMockServer(SCHEMA, {
    data: { ...DATA, people: [{ id: "1", name: "Ada", postIds: ["1"] }], posts: DATA.posts },
  }).data(query);
  for (let level = 0; level < levels; level++) person = person.posts[0].author;
  deepStrictEqual(person, { name: "Ada" });
});

Deno.test("documents: defaults of variables are used, and those of arguments don't filter", async () => {
  const { data } = createMockServer(
    `type Person { id: ID! name: String } type Query { people(name: String = "Ada"): [Person!]! }`,
    { data: { people: DATA.people } },
  );
  const by = DATA.people.map(({ id }) => ({ id }));
  const query = `query ($name: String = "Bo") { people(name: $name) { id } by: people { id } }`;
  deepStrictEqual(await data(query), { people: [{ id: "2" }], by });
  deepStrictEqual(await data(query, { name: "Cy" }), { people: [{ id: "3" }], by });
});
