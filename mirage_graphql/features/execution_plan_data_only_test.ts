import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { GraphQLScalarType, GraphQLString } from "graphql";
import { createMockServer } from "../testing/mock_server.ts";
import { ModelClass } from "../testing/model_class.ts";
import { createPlannedMock } from "../testing/planned_mock.ts";

const SCHEMA = `
  scalar Stamp
  interface Named { name: String }
  union Thing = Label | Sign
  type Person implements Named {
    id: ID! name: String at: Stamp root: Query label: Label labels(text: String): [Label!]
    one(text: String!): Label page(first: Int): SignConnection thing: Thing
  }
  type Label { text: String }
  type Sign { text: String }
  type Other { text: String }
  type PageInfo { hasNextPage: Boolean! }
  type SignEdge { node: Sign cursor: String! }
  type SignConnection { edges: [SignEdge!]! pageInfo: PageInfo! }
  type PersonEdge { node: Person cursor: String! }
  type PersonConnection { edges: [PersonEdge!]! }
  input PersonInput { name: String }
  type Query {
    people(shout: String, at: Stamp, name: String): [Person!]!
    named(shout: String): [Named!]!
    page(shout: String): PersonConnection!
    person(id: ID): Person
    text: String
  }
  type Mutation { person(id: ID): Person createPerson(input: PersonInput!): Person }
`;

let calls = 0;

/** A user-defined object that counts reads of its properties. */
class Counting {
  get text() {
    calls++;
    return "x";
  }
}

const promise = Promise.resolve("late");

/** What a record holds, and a query that reads it. */
const VALUES: readonly (readonly [query: string, person: Record<string, unknown>])[] = [
  ["{ people { label { text } } }", { label: new Counting() }],
  ["{ people { label { text } } }", { label: { then: "a word", text: () => calls++ } }],
  ["{ people { label { text } } }", { label: { then: () => calls++, text: "x" } }],
  ["{ people { name } }", { name: "Ada", then: () => calls++ }],
  ["{ people { labels { text } } }", { labels: [new Counting()] }],
  [`{ people { labels(text: "x") { text } } }`, { labels: [{ text: "x" }, new Counting()] }],
  [`{ people { one(text: "x") { text } } }`, { labels: [new Counting()] }],
  ["{ people { page(first: 1) { edges { node { text } } } } }", { page: [new Counting()] }],
  ["{ people { page { edges { node { text } } } } }", {
    page: { edges: [{ node: new Counting() }] },
  }],
  ["{ people { page { edges { node { text } } } } }", { page: { edges: [new Counting()] } }],
  ["{ people { root { text } } }", { root: new Counting() }],
  ["{ people { thing { ... on Sign { text } } } }", { thing: new Counting() }],
  ["{ people { thing { __typename } } }", { thing: { __typename: "Other" } }],
  ["{ people { thing { __typename } } }", { thing: { __typename: "Nothing" } }],
  ["{ people { thing { __typename } } }", { thing: { text: "x" } }],
  ["{ people { at } }", { at: new Error("x") }],
  ["{ people { at } }", { at: promise }],
  ["{ people { at } }", { at: () => "x" }],
  ["{ people { name } }", { name: promise }],
  ["{ people { labels { text } } }", { labels: [promise] }],
  ["{ people { labels { text } } }", { labels: promise }],
];

for (const [query, person] of VALUES) {
  Deno.test(`what is not plain data is left to graphql-js: ${query} of ${Deno.inspect(person)}`, async () => {
    const Stamp = new GraphQLScalarType({ name: "Stamp", serialize: String });
    const people = [{ id: "1", ...person }];
    const { planned } = createPlannedMock(SCHEMA, { data: { people }, resolvers: { Stamp } });
    calls = 0;
    strictEqual(planned(query), undefined);
    await Promise.resolve(); // a promise calls then() asynchronously
    strictEqual(calls, 0);
  });
}

Deno.test("a scalar that serializes to null is left to graphql-js, which reports the error", () => {
  const Stamp = new GraphQLScalarType({ name: "Stamp", serialize: () => null });
  const data = { people: [{ id: "1", at: 1 }] };
  const { planned, executed } = createPlannedMock(SCHEMA, { data, resolvers: { Stamp } });
  strictEqual(planned("{ people { at } }"), undefined);
  strictEqual(executed("{ people { at } }").errors?.length, 1);
});

const LEAVES = ["a", "1", 1, 1.5, 2 ** 31, -0, 0, NaN, Infinity, true, false, "", null, [], {}];

Deno.test("leaves of GraphQL's own types are coerced as graphql-js does, or left to it", () => {
  for (const type of ["ID", "String", "Int", "Float", "Boolean"]) {
    for (const value of LEAVES) {
      const { planned, executed } = createPlannedMock(
        `type Query { people: [Person!]! } type Person { id: ID! leaf: ${type} }`,
        { data: { people: [{ id: "1", leaf: value }] } },
      );
      const { data, errors } = executed("{ people { leaf } }");
      deepStrictEqual(
        planned("{ people { leaf } }"),
        errors ? undefined : data,
        `${type} ${value}`,
      );
    }
  }
});

Deno.test("plans coerce leaves by what replaces a coercion of GraphQL's own types", () => {
  const leaf: { coerceOutputValue?: unknown; serialize?: unknown } = GraphQLString;
  const method = "coerceOutputValue" in leaf ? "coerceOutputValue" : "serialize";
  const { [method]: own } = leaf;
  leaf[method] = (value: unknown) => `${value}!`;
  try {
    const { planned } = createPlannedMock(SCHEMA, { data: { people: [{ id: "1", name: "Ada" }] } });
    strictEqual(JSON.stringify(planned("{ people { name } }")), '{"people":[{"name":"Ada!"}]}');
  } finally {
    leaf[method] = own;
  }
});

const FILTERS = [
  `{ people(shout: "Ada!") { name } }`,
  `{ named(shout: "Ada!") { name } }`,
  `{ page(shout: "Ada!") { edges { node { name } } } }`,
];

for (const query of FILTERS) {
  Deno.test(`a getter that is filtered by is left to graphql-js: ${query}`, () => {
    class Person extends ModelClass {
      get shout() {
        calls++;
        return `${this.name}!`;
      }
    }
    const data = { people: [{ id: "1", name: "Ada" }] };
    const { planned, executed } = createPlannedMock(SCHEMA, { models: { person: Person }, data });
    calls = 0;
    strictEqual(planned(query), undefined);
    strictEqual(calls, 0);
    ok(JSON.stringify(executed(query).data).includes("Ada"));
    strictEqual(calls, 1);
  });
}

Deno.test("a getter that a record is looked up in is read once", async () => {
  class Person extends ModelClass {
    get labels() {
      calls++;
      return [{ text: "x" }];
    }
  }
  const people = [{ id: "1", at: "broken" }];
  const Stamp = new GraphQLScalarType({ name: "Stamp", serialize: () => null });
  const { answer } = createMockServer(SCHEMA, {
    models: { person: Person },
    resolvers: { Stamp },
    data: { people },
  });
  calls = 0;
  const { data, errors } = await answer(`{ people { one(text: "x") { text } at } }`);
  deepStrictEqual(data, { people: [{ one: { text: "x" }, at: null }] });
  deepStrictEqual([errors.length, calls], [1, 1]);
});

Deno.test("a user-defined scalar in the arguments is read only by graphql-js", () => {
  const Stamp = new GraphQLScalarType({
    name: "Stamp",
    parseValue: String,
    parseLiteral: () => String(calls++),
  });
  const { planned, executed } = createPlannedMock(SCHEMA, { resolvers: { Stamp } });
  executed("{ people(at: 1) { id } }");
  calls = 0;
  strictEqual(planned("{ people(at: 1) { id } }"), undefined);
  strictEqual(calls, 0);
  strictEqual(JSON.stringify(planned("{ people { id } }")), '{"people":[]}');
});

Deno.test("variables that can be read only once are read only by graphql-js", async () => {
  const { handler } = createMockServer("type Query { echo(ids: [ID!]): [ID!] }", {
    resolvers: { Query: { echo: (_obj, { ids }) => ids } },
  });
  const ids = new Set(["1"]).values();
  const answer = await handler.query("query ($ids: [ID!]) { echo(ids: $ids) }", { ids });
  strictEqual(JSON.stringify(answer), '{"echo":["1"]}');
});

Deno.test("a mutation is not planned as a query, even if a query has its name", async () => {
  const { data } = createMockServer(SCHEMA, { data: { people: [{ id: "1" }] } });
  deepStrictEqual(await data("mutation { __typename }"), { __typename: "Mutation" });
  deepStrictEqual(await data("mutation { person(id: 1) { id } }"), { person: { id: "1" } });
  deepStrictEqual(await data("{ people { id } }"), { people: [] });
});

Deno.test("a mutation that queries can reach deletes when graphql-js runs it, and not before", () => {
  const { planned, executed } = createPlannedMock(
    `type Query { people: [Person!]! } type Person { id: ID! can: PersonMutations }
     type PersonMutations { remove(id: ID!): Person }
     type Mutation { people: PersonMutations! }`,
    { data: { people: [{ id: "1", can: {} }, { id: "2" }] } },
  );
  strictEqual(planned("{ people { can { remove(id: 2) { id } } } }"), undefined);
  strictEqual(
    JSON.stringify(executed("{ people { id } }").data),
    '{"people":[{"id":"1"},{"id":"2"}]}',
  );
});

Deno.test("a query that is aborted before it starts is not answered", async () => {
  const { handler } = createMockServer(SCHEMA);
  const signal = AbortSignal.abort(new Error("gone"));
  const ended = await handler.query("{ people { id } }", {}, { signal }).then(
    () => "answered",
    (error) => error === signal.reason ? "rejected" : error,
  );
  strictEqual(ended, "rejected");
});
