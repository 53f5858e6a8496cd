import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { GraphQLScalarType } from "graphql";
import { belongsTo, hasMany } from "miragejs";
import { createMockServer, type Tables } from "../testing/mock_server.ts";
import { ModelClass } from "../testing/model_class.ts";
import { createPlannedMock, type PlannedMockOptions } from "../testing/planned_mock.ts";

const SCHEMA = `
  directive @live on FIELD
  scalar Stamp
  enum Mood { HAPPY SAD }
  interface Node { id: ID! }
  interface Named { name: String }
  type Person implements Node & Named {
    id: ID! name: String mood: Mood born: Stamp tags: [String!] grid: [[Int]] address: Address
    posts(title: String, hidden: Int): [Post!]! boss: Person
  }
  type Address { city: String! }
  type Post implements Node { id: ID! title: String! author: Person subject: Node }
  union Result = Person | Post
  type PageInfo { hasPreviousPage: Boolean! hasNextPage: Boolean! startCursor: String endCursor: String }
  type PostEdge { cursor: String! node: Post! }
  type PostConnection { edges: [PostEdge!]! nodes: [Post!]! pageInfo: PageInfo! totalCount: Int! }
  input PersonInput { name: String }
  type Query {
    people(name: String, mood: Mood): [Person!]!
    person(id: ID, name: String = "Ada"): Person
    post(id: ID!): Post!
    nodes: [Node!]!
    named: [Named]
    results: [Result!]!
    node(id: ID!): Node
    postPage(first: Int, after: String): PostConnection!
    version: String
  }
  type Mutation { createPerson(input: PersonInput!): Person }
`;

const DATA: Tables = {
  people: [
    {
      id: "1",
      name: "Ada",
      mood: "HAPPY",
      born: { year: 1815 },
      tags: ["a", "b"],
      grid: [[1, 2], [], [null]],
      address: { city: "London" },
      postIds: ["1", "2"],
      bossId: "2",
    },
    { id: "2", name: "Bea", mood: null, postIds: [] },
  ],
  posts: [
    { id: "1", title: "One", authorId: "1", subjectId: { type: "person", id: "2" } },
    { id: "2", title: "Two", authorId: "1", subjectId: { type: "post", id: "1" } },
  ],
};

class Person extends ModelClass {
  get shout() {
    return `${this.name}!`;
  }
}
Object.assign(Person.prototype, {
  posts: hasMany("post", { inverse: "author" }),
  boss: belongsTo("person", { inverse: null }),
});

const PLANNED: readonly (readonly [query: string, variables?: Record<string, unknown>])[] = [
  ["{ people { id name mood born tags grid address { city } } }"],
  ["{ __typename people { __typename kind: __typename id } }"],
  [`{ people(name: "Bea") { id } happy: people(mood: HAPPY) { name } }`],
  ["query ($name: String) { people(name: $name) { id } }", { name: "Ada" }],
  ["query ($name: String) { people(name: $name) { id } }", { name: null }],
  ["query ($name: String) { people(name: $name) { id } }", {}],
  [`query ($name: String = "Bea") { people(name: $name) { id } }`],
  ["{ person { name } bea: person(id: 2, name: null) { name } nobody: person(id: 7) { name } }"],
  ['{ people { posts(title: "Two") { title author { name posts { title } } } boss { name } } }'],
  ["{ nodes { __typename id ... on Person { name } ... on Post { title } } }"],
  ["{ results { ... on Node { id } ... on Named { name } } named { name } }"],
  ["{ people { posts { subject { __typename id ... on Named { name } } } } }"],
  [
    `{ people { ...Summary ...Summary posts { id } posts { title } } }
     fragment Summary on Person { name ...Mood } fragment Mood on Person { mood name }`,
  ],
  ["{ people { boss { id } boss { posts { id } } } people { boss { name } } }"],
  ["{ postPage(first: 1) { edges { cursor node { title } } nodes { id } pageInfo { hasNextPage endCursor } totalCount } }"],
  ["{ people { id @skip(if: true) name @include(if: true) ... @skip(if: false) { mood } } }"],
  ["{ version }"],
];

for (const [query, variables] of PLANNED) {
  const values = variables === undefined ? "" : ` with ${JSON.stringify(variables)}`;
  Deno.test(`a plan answers as graphql-js does: ${query}${values}`, () => {
    const { planned, executed } = createPlannedMock(SCHEMA, { data: DATA });
    const expected = executed(query, variables);
    deepStrictEqual(expected.errors, undefined);
    for (const _ of ["planned", "from the plan"]) {
      const data = planned(query, variables);
      ok(data !== undefined, "the executor was asked");
      deepStrictEqual(data, expected.data);
      strictEqual(JSON.stringify(data), JSON.stringify(expected.data), "the order of the keys");
      strictEqual(Object.getPrototypeOf(data), null);
    }
  });
}

Deno.test("each outcome of @skip and @include has a plan of its own, however many there are", () => {
  const { planned, executed } = createPlannedMock(SCHEMA, { data: DATA });
  const names = ["a", "b", "c", "d", "e", "f"];
  const query = `query (${names.map((name) => `$${name}: Boolean!`).join(" ")}) {
    people { id ${names.map((name) => `${name}: name @include(if: $${name})`).join(" ")}
      ... on Person @skip(if: $a) { mood } ...P @include(if: $b) } }
    fragment P on Person { posts { title @skip(if: $c) id } }`;
  for (let number = 0; number < 130; number++) {
    const variables = Object.fromEntries(
      names.map((name, index) => [name, (number >> index & 1) === 1]),
    );
    deepStrictEqual(planned(query, variables), executed(query, variables).data);
  }
});

/** What a query has that only graphql-js's executor can answer. */
const LEFT: readonly (readonly [what: string, query: string, PlannedMockOptions?])[] = [
  ["a mutation", `mutation { createPerson(input: { name: "C" }) { id } }`],
  ["introspection", "{ people { id } __schema { queryType { name } } }"],
  ["a single value of several types at the root", "{ node(id: 1) { id } }"],
  ["a directive of the host's", "{ people { name @live } }"],
  ["a resolver at the root", "{ people { id } }", {
    resolvers: { Query: { people: () => [{ id: "9" }] } },
  }],
  ["a resolver of a nested field", "{ people { posts { title } } }", {
    resolvers: { Post: { title: ({ title }: { title: string }) => title.toUpperCase() } },
  }],
  ["a resolver of a member", "{ nodes { id ... on Post { title } } }", {
    resolvers: { Post: { title: () => "x" } },
  }],
  ["a resolver that a type has from its interface", "{ people { name } }", {
    resolvers: { Named: { name: () => "x" } },
  }],
  ["a host's __resolveType", "{ nodes { id } }", {
    resolvers: { Node: { __resolveType: () => "Person" } },
  }],
  ["a host's __isTypeOf", "{ people { id } }", {
    resolvers: { Person: { __isTypeOf: () => true } },
  }],
  ["a host's __isTypeOf of a member", "{ nodes { id } }", {
    resolvers: { Person: { __isTypeOf: () => true } },
  }],
];

for (const [what, query, options] of LEFT) {
  Deno.test(`${what} is left to the executor`, () => {
    const { planned } = createPlannedMock(SCHEMA, { data: DATA, ...options });
    strictEqual(planned(query), undefined);
    strictEqual(planned(query), undefined);
  });
}

Deno.test("a getter of a host's model is left to the executor, and what has none is planned", () => {
  let calls = 0;
  class Counting extends Person {
    override get shout() {
      calls++;
      return super.shout;
    }
  }
  const { planned, executed } = createPlannedMock(
    `${SCHEMA} extend type Person { shout: String }`,
    { models: { person: Counting }, data: DATA },
  );
  strictEqual(planned("{ people { shout } }"), undefined);
  strictEqual(calls, 0);
  deepStrictEqual(planned("{ people { name } }"), executed("{ people { name } }").data);
});

/** What only turns out when it is read. */
const MET: readonly (readonly [what: string, query: string, person: Record<string, unknown>])[] = [
  ["null where it must not be", "{ people { address { city } } }", { address: {} }],
  ["null where no record may be missing", "{ post(id: 7) { id } }", {}],
  ["an argument that no attribute has", "{ people { posts(hidden: 1) { id } } }", {}],
  ["a value that is none of the enum", "{ people { mood } }", { mood: "ANGRY" }],
  ["a list that is none", "{ people { tags } }", { tags: "a" }],
  ["a list that is null within", "{ people { tags } }", { tags: ["a", null] }],
  ["an error", "{ people { address { city } } }", { address: new RangeError("no city") }],
  ["a cursor that is unknown", `{ postPage(after: "x") { totalCount } }`, {}],
];

for (const [what, query, person] of MET) {
  Deno.test(`${what} is left to the executor, which tells the error`, () => {
    const { planned, executed } = createPlannedMock(SCHEMA, {
      data: { ...DATA, people: [{ id: "1", postIds: ["1"], ...person }] },
    });
    ok((executed(query).errors ?? []).length > 0, "no error");
    strictEqual(planned(query), undefined);
  });
}

Deno.test("variables that are not valid are left to the executor", () => {
  const { planned, executed } = createPlannedMock(SCHEMA, { data: DATA });
  const query = "query ($id: ID!) { post(id: $id) { id } }";
  for (const variables of [undefined, {}, { id: null }, { id: {} }]) {
    ok((executed(query, variables).errors ?? []).length > 0, "no error");
    strictEqual(planned(query, variables), undefined);
  }
  deepStrictEqual(planned(query, { id: 1 }), executed(query, { id: 1 }).data);
});

Deno.test("after what was left to the executor the same query is planned", () => {
  const people = [{ id: "1", mood: "ANGRY" }];
  const { planned } = createPlannedMock(SCHEMA, { data: { people } });
  const query = "query ($mood: Mood) { people(mood: $mood) { mood } }";
  strictEqual(planned(query), undefined);
  strictEqual(JSON.stringify(planned(query, { mood: "SAD" })), '{"people":[]}');
});

Deno.test("a plan that turned out to hold what can't be planned is not tried again", () => {
  let calls = 0;
  const Stamp = new GraphQLScalarType({ name: "Stamp", serialize: () => ++calls });
  const resolvers = { Stamp, Post: { title: () => "x" } };
  const { planned } = createPlannedMock(SCHEMA, { data: DATA, resolvers });
  const query = "{ nodes { ... on Person { born } ... on Post { title } } }";
  strictEqual(planned(query), undefined);
  strictEqual(calls, 1);
  strictEqual(planned(query), undefined);
  strictEqual(calls, 1);
});

Deno.test("functions in embedded values are left to the executor, which calls each once", async () => {
  const calls: unknown[] = [];
  const address = {
    city(_args: unknown, _context: unknown, info: { path: { key: string } }) {
      calls.push(info.path.key);
      return "London";
    },
  };
  const people = [{ id: "1", address }];
  const { planned } = createPlannedMock(SCHEMA, { data: { people } });
  strictEqual(planned("{ people { address { city } } }"), undefined);
  deepStrictEqual(calls, []);
  const { data } = createMockServer(SCHEMA, { data: { people } });
  deepStrictEqual(await data("{ people { address { town: city } } }"), {
    people: [{ address: { town: "London" } }],
  });
  deepStrictEqual(calls, ["town"]);
});

Deno.test("functions of embedded objects that hold a record's fields are called with info, once", async () => {
  const calls: unknown[] = [];
  const schema = `
    type Query { people: [Person!]! }
    type Person { id: ID! card: Card }
    type Card { owner: Owner posts: [Owner] tag: String! }
    type Owner { label: String! }
  `;
  const note =
    (value: unknown) => (_args: unknown, _context: unknown, info: { path: { key: string } }) => {
      calls.push(info.path.key);
      return value;
    };
  const card = { owner: note({ label: note("A") }), posts: note([{ label: "B" }]), tag: note("C") };
  const { data } = createMockServer(schema, { data: { people: [{ id: "1", card }] } });
  deepStrictEqual(
    await data("{ people { card { a: owner { b: label } c: posts { label } d: tag } } }"),
    {
      people: [{ card: { a: { b: "A" }, c: [{ label: "B" }], d: "C" } }],
    },
  );
  deepStrictEqual(calls, ["a", "b", "c", "d"]);
});

Deno.test("a scalar that is made ready later is left to the executor", async () => {
  const Stamp = new GraphQLScalarType({ name: "Stamp", serialize: async () => await "late" });
  const { data } = createMockServer(SCHEMA, { data: DATA, resolvers: { Stamp } });
  const answer = await data("{ person { born } }");
  deepStrictEqual(answer, { person: { born: "late" } });
});
