import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { buildSchema } from "graphql";
import { Model } from "miragejs";
import { delegateAll } from "../testing/delegate_all.ts";
import { createMockServer, type MockServerOptions, type Tables } from "../testing/mock_server.ts";
import { createPlannedMock } from "../testing/planned_mock.ts";

const FIELDS = `
  constructor: Post toString: String valueOf: Int hasOwnProperty: Boolean attrs: String
  isPrototypeOf: [Post!]! toLocaleString: [String!]
`;

const SCHEMA = `
  interface Named { id: ID! toString: String }
  type Person implements Named { id: ID! plain: Plain ${FIELDS} }
  type Post { id: ID! title: String }
  type Plain { constructor: String toString: String valueOf: Plain }
  input PersonInput { constructorId: ID toString: String valueOf: Int attrs: String }
  type Query {
    people(toString: String, constructor: ID): [Person!]! person(id: ID!): Person named: [Named!]!
    constructor: Person valueOf: [Post!]!
  }
  type Mutation { createPerson(input: PersonInput!): Person! }
`;

const PERSON = `{
  constructor { title } toString valueOf hasOwnProperty attrs isPrototypeOf { title } toLocaleString
  plain { constructor toString valueOf { toString } }
}`;

const QUERY = `{
  people ${PERSON} person(id: 1) ${PERSON} named { toString } constructor { attrs }
  valueOf { title }
}`;

const PLAIN = { constructor: "c", toString: "t", valueOf: {} };

type Rows = Tables[string];

const POSTS: Rows = [{ id: "1", title: "One" }];

const PEOPLE: Rows = [
  {
    id: "1",
    constructorRelationId: "1",
    toString: "text",
    valueOf: 5,
    hasOwnProperty: false,
    attrs: "at",
    isPrototypeOfRelationIds: ["1"],
    toLocaleString: ["a"],
    plain: PLAIN,
  },
  Object.fromEntries([["id", "2"], ["plain", {}]]),
];

const DATA: Tables = { posts: POSTS, people: PEOPLE };

const NOTHING = { constructor: null, toString: null, valueOf: null };

const FULL = {
  constructor: { title: "One" },
  toString: "text",
  valueOf: 5,
  hasOwnProperty: false,
  attrs: "at",
  isPrototypeOf: [{ title: "One" }],
  toLocaleString: ["a"],
  plain: {
    constructor: "c",
    toString: "t",
    valueOf: { toString: null },
  },
};

const EMPTY = {
  ...NOTHING,
  hasOwnProperty: null,
  attrs: null,
  isPrototypeOf: [],
  toLocaleString: null,
  plain: NOTHING,
};

const EXPECTED = {
  people: [FULL, EMPTY],
  person: FULL,
  named: [{ toString: "text" }, { toString: null }],
  constructor: { attrs: "at" },
  valueOf: [{ title: "One" }],
};

/** Results have no prototypes, and the names of these fields are in none. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

type Schema = { all(name: string): unknown; find(name: string, id: string): unknown };

/** Returns Mirage's models, and has a resolver for some field of each type. */
const MODELS = {
  Query: {
    people: (_obj: unknown, _args: unknown, { mockSchema }: { mockSchema: unknown }) =>
      (mockSchema as Schema).all("person"),
    person: (_obj: unknown, _args: unknown, { mockSchema }: { mockSchema: unknown }) =>
      (mockSchema as Schema).find("person", "1"),
  },
  Post: { title: ({ title }: { title: string }) => title },
};

const MOCKS: Readonly<Record<string, MockServerOptions<unknown>>> = {
  "no resolvers": {},
  "conventions": { conventions: "common" },
  "resolvers for other fields": {
    resolvers: {
      Person: { id: ({ id }) => id },
      Post: { id: ({ id }) => id },
      Plain: {},
      Named: {},
    },
  },
  "resolvers that delegate": { resolvers: delegateAll(buildSchema(SCHEMA)) },
  "resolvers that return models": { resolvers: MODELS },
};

for (const [what, options] of Object.entries(MOCKS)) {
  Deno.test(`fields named like what objects inherit are read, with ${what}`, async () => {
    const { data } = createMockServer(SCHEMA, { data: DATA, ...options });
    deepStrictEqual(await data(QUERY), EXPECTED);
  });
}

Deno.test("fields named like what objects inherit are read by plans and by graphql-js", () => {
  const { planned, executed } = createPlannedMock(SCHEMA, { data: DATA });
  deepStrictEqual(plain(planned(QUERY)), EXPECTED);
  deepStrictEqual(plain(executed(QUERY)), { data: EXPECTED });
});

Deno.test("arguments filter by attributes and relations with such names", async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA });
  deepStrictEqual(
    await data(`{ text: people(toString: "text") { id } none: people(toString: "x") { id }
      related: people(constructor: 1) { id } }`),
    { text: [{ id: "1" }], none: [], related: [{ id: "1" }] },
  );
});

for (const models of [undefined, { person: Model.extend({}) }]) {
  const whose = models ? "a user-defined" : "a derived";
  Deno.test(`server.create() keeps values with such names, in ${whose} model`, async () => {
    const { server, data, dump } = createMockServer(SCHEMA, { models });
    const values = { toString: "text", valueOf: 5, hasOwnProperty: false, attrs: "at" };
    const person = server.create("person", { ...values, plain: PLAIN } as object);
    strictEqual(String(person), "model:person(1)");
    const [{ id, plain: _, ...stored }] = dump().people as [Record<string, unknown>];
    deepStrictEqual([id, { ...values, ...stored }], ["1", stored]);
    deepStrictEqual(
      await data("{ people { toString valueOf hasOwnProperty attrs plain { constructor } } }"),
      { people: [{ ...values, plain: { constructor: "c" } }] },
    );
  });
}

Deno.test("server.create() and inputs take a relation with such a name", async () => {
  const { server, data } = createMockServer(SCHEMA, { data: { posts: POSTS } });
  const post = server.schema.first("post" as never);
  server.create("person", { constructor: post, isPrototypeOf: [post] } as object);
  const expected = { constructor: { title: "One" }, isPrototypeOf: [{ title: "One" }] };
  const selection = "{ constructor { title } isPrototypeOf { title } }";
  deepStrictEqual(await data(`{ people ${selection} }`), { people: [expected] });
  const input = '{ constructorId: 1, toString: "new", valueOf: 3, attrs: "at" }';
  deepStrictEqual(
    await data(`mutation { createPerson(input: ${input}) {
      constructor { title } toString valueOf attrs hasOwnProperty isPrototypeOf { title } } }`),
    {
      createPerson: {
        constructor: { title: "One" },
        toString: "new",
        valueOf: 3,
        attrs: "at",
        hasOwnProperty: null,
        isPrototypeOf: [],
      },
    },
  );
});

Deno.test("a resolver of an interface for such a field is inherited, and a class may have the method", async () => {
  class Money {
    constructor(readonly id: string) {}
    toString() {
      return `${this.id} EUR`;
    }
  }
  const { data } = createMockServer(SCHEMA, {
    data: { people: PEOPLE },
    resolvers: {
      Named: { toString: ({ id }: { id: string }) => `Named ${id}` },
      Query: { constructor: () => ({ id: "7", plain: new Money("5") }) },
    },
  });
  deepStrictEqual(
    await data("{ named { toString } constructor { plain { toString constructor } } }"),
    {
      named: [{ toString: "Named 1" }, { toString: "Named 2" }],
      constructor: { plain: { toString: "5 EUR", constructor: null } },
    },
  );
});

const COMMON = `
  type Person { id: ID! toString: String valueOf: Int constructor: Post authored: [Post!]! }
  type Post { id: ID! title: String author: Person }
  type constructor { id: ID! name: String }
  input Text { eq: String ne: String isNull: Boolean }
  input Number { gt: Int }
  input PostWhere { title: Text }
  input PersonWhere { toString: Text valueOf: Number constructor: PostWhere }
  enum Direction { asc desc }
  input PersonOrder { toString: Direction }
  type people_aggregate { aggregate: people_aggregate_fields nodes: [Person!]! }
  type people_aggregate_fields { count: Int max: people_max_fields }
  type people_max_fields { valueOf: Int toString: String }
  input Id { id: ID! }
  input PostInput { title: String }
  input PostRelation { connect: Id create: PostInput }
  input Change { increment: Int }
  input PersonInput { toString: String valueOf: Change constructor: PostRelation }
  type Query {
    people(where: PersonWhere, orderBy: PersonOrder): [Person!]!
    people_aggregate: people_aggregate! constructors: [constructor!]!
  }
  type Mutation {
    updatePerson(id: ID!, toString: String): Person
    createPerson(data: PersonInput!): Person!
    updatePeople(where: PersonWhere, data: PersonInput!): [Person!]!
  }
`;

const FOUND: readonly (readonly [query: string, expected: unknown])[] = [
  ['{ people(where: { toString: { ne: "a" } }) { id } }', [{ id: "1" }]],
  ["{ people(where: { toString: { isNull: true } }) { id } }", [{ id: "3" }]],
  ["{ people(where: { valueOf: { gt: 3 } }) { id } }", [{ id: "2" }]],
  ['{ people(where: { constructor: { title: { eq: "One" } } }) { id } }', [{ id: "1" }]],
  ["{ people(orderBy: { toString: asc }) { id } }", [{ id: "2" }, { id: "1" }, { id: "3" }]],
  ["{ people_aggregate { aggregate { count max { valueOf toString } } } }", {
    aggregate: { count: 3, max: { valueOf: 7, toString: "b" } },
  }],
  ["{ constructors { name } }", [{ name: "c" }]],
  ['mutation { updatePerson(id: 3, toString: "z") { toString } }', { toString: "z" }],
  [
    "mutation { createPerson(data: { constructor: { connect: { id: 1 } } }) { constructor { title } } }",
    {
      constructor: { title: "One" },
    },
  ],
  [
    'mutation { createPerson(data: { constructor: { create: { title: "New" } } }) { constructor { title } } }',
    {
      constructor: { title: "New" },
    },
  ],
  [
    "mutation { updatePeople(where: { toString: { isNull: true } }, data: { valueOf: { increment: 2 } }) { valueOf } }",
    [{
      valueOf: 2,
    }],
  ],
];

for (const [query, expected] of FOUND) {
  Deno.test(`conventions understand fields named like what objects inherit: ${query}`, async () => {
    const { data } = createMockServer(COMMON, {
      conventions: "common",
      data: {
        posts: POSTS,
        people: [
          { id: "1", toString: "b", valueOf: 2, constructorRelationId: "1" },
          { id: "2", toString: "a", valueOf: 7 },
          Object.fromEntries([["id", "3"]]),
        ],
        constructorTypes: [{ id: "1", name: "c" }],
      },
    });
    deepStrictEqual(Object.values(await data(query)), [expected]);
  });
}
