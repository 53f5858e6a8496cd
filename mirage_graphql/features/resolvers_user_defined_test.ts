import { deepStrictEqual, throws } from "node:assert/strict";
import { GraphQLScalarType, Kind } from "graphql";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  scalar Date
  enum Mood { HAPPY SAD }
  interface Animal { id: ID! name: String loud: String }
  type Cat implements Animal { id: ID! name: String loud: String }
  type Dog implements Animal { id: ID! name: String loud: String }
  union Pet = Cat | Dog
  input PersonInput { name: String }
  type Person { id: ID! name: String born: Date mood: Mood pet: Pet }
  type Query {
    people(born: Date, mood: Mood): [Person!]!
    animals: [Animal!]!
    pets: [Pet!]!
    found: [Pet!]!
    moods(mood: Mood): [Mood!]!
    hello(name: String = "you"): String
  }
`;

const DATA = {
  cats: [{ id: "1", name: "Tom" }],
  dogs: [{ id: "1", name: "Rex" }],
};

Deno.test("a resolver for a field is called with obj, args, context and info", async () => {
  const { data } = createMockServer(SCHEMA, {
    context: { greeting: "Hi" },
    resolvers: {
      Query: {
        hello: (_obj, { name }, { greeting }, { fieldName }) => `${greeting} ${name} ${fieldName}`,
      },
    },
  });
  deepStrictEqual(await data(`{ hello other: hello(name: "Ada") }`), {
    hello: "Hi you hello",
    other: "Hi Ada hello",
  });
});

Deno.test("a scalar's resolver serializes results, and reads literals and variables", async () => {
  const Date_ = new GraphQLScalarType<Date, string>({
    name: "Date",
    serialize: (value) => (value as Date).toISOString().slice(0, 10),
    parseValue: (value) => new Date(String(value)),
    parseLiteral: (node) => new Date(node.kind === Kind.STRING ? node.value : NaN),
  });
  const { data } = createMockServer(SCHEMA, {
    resolvers: { Date: Date_ },
    data: {
      people: [
        { id: "1", born: new Date("1815-12-10") },
        { id: "2", born: new Date("1906-12-09") },
      ],
    },
  });
  deepStrictEqual(await data("{ people { born } }"), {
    people: [{ born: "1815-12-10" }, { born: "1906-12-09" }],
  });
  deepStrictEqual(await data(`{ people(born: "1906-12-09") { id } }`), { people: [{ id: "2" }] });
  deepStrictEqual(
    await data("query ($born: Date) { people(born: $born) { id } }", { born: "1815-12-10" }),
    { people: [{ id: "1" }] },
  );
});

Deno.test("a scalar may be defined by its functions", async () => {
  const { data } = createMockServer(SCHEMA, {
    resolvers: { Date: { serialize: (value: unknown) => `on ${value}` } },
    data: { people: [{ id: "1", born: "Monday" }] },
  });
  deepStrictEqual(await data("{ people { born } }"), { people: [{ born: "on Monday" }] });
});

Deno.test("values of an enum have the internal values that the resolvers define", async () => {
  let seen: unknown;
  const { data } = createMockServer(SCHEMA, {
    resolvers: {
      Mood: { HAPPY: 1, SAD: 0 },
      Query: {
        moods: (_obj, { mood }) => {
          seen = mood;
          return [0, 1];
        },
      },
    },
    data: { people: [{ id: "1", mood: 0 }, { id: "2", mood: 1 }] },
  });
  deepStrictEqual(await data("{ moods(mood: SAD) people(mood: SAD) { id mood } }"), {
    moods: ["SAD", "HAPPY"],
    people: [{ id: "1", mood: "SAD" }],
  });
  deepStrictEqual(seen, 0);
});

Deno.test("__resolveType determines the type of user-defined objects that don't name it", async () => {
  const { data } = createMockServer(SCHEMA, {
    resolvers: {
      Query: { found: () => [{ id: "8", barks: true }, { id: "9", barks: false }] },
      Pet: { __resolveType: ({ barks }) => barks ? "Dog" : "Cat" },
    },
  });
  deepStrictEqual(await data("{ found { __typename ... on Dog { id } ... on Cat { id } } }"), {
    found: [{ __typename: "Dog", id: "8" }, { __typename: "Cat", id: "9" }],
  });
});

Deno.test("a record has the type of its model if __resolveType returns nothing", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: { Pet: { __resolveType: () => undefined } },
  });
  deepStrictEqual(await data("{ pets { __typename } }"), {
    pets: [{ __typename: "Cat" }, { __typename: "Dog" }],
  });
});

Deno.test("__resolveType receives records as resolvers do, and may be asynchronous", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: { Animal: { __resolveType: (obj) => Promise.resolve(obj.__typename) } },
  });
  deepStrictEqual(await data("{ animals { __typename name } }"), {
    animals: [{ __typename: "Cat", name: "Tom" }, { __typename: "Dog", name: "Rex" }],
  });
});

Deno.test("__isTypeOf determines the type of user-defined objects that don't name it", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: {
      Query: { found: () => [{ id: "8", barks: true }, { id: "9", meows: true }] },
      Dog: { __isTypeOf: (obj) => obj.barks === true || obj.__typename === "Dog" },
      Cat: { __isTypeOf: (obj) => obj.meows === true || obj.__typename === "Cat" },
    },
  });
  deepStrictEqual(await data("{ found { __typename } pets { __typename } animals { name } }"), {
    found: [{ __typename: "Dog" }, { __typename: "Cat" }],
    pets: [{ __typename: "Cat" }, { __typename: "Dog" }],
    animals: [{ name: "Tom" }, { name: "Rex" }],
  });
});

Deno.test("a resolver of an interface's field applies to all types that implement it", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: {
      Animal: { loud: ({ name }) => `${name}!` },
      Dog: { loud: ({ name }) => `${name}, wuff` },
    },
  });
  deepStrictEqual(await data("{ animals { loud } pets { ... on Animal { loud } } }"), {
    animals: [{ loud: "Tom!" }, { loud: "Rex, wuff" }],
    pets: [{ loud: "Tom!" }, { loud: "Rex, wuff" }],
  });
});

Deno.test("an error that a resolver throws or rejects with is reported with its message", async () => {
  const { answer } = createMockServer(SCHEMA, {
    resolvers: {
      Query: {
        hello: () => {
          throw new Error("no voice");
        },
        found: () => Promise.reject(new Error("lost")),
      },
    },
  });
  deepStrictEqual(await answer("{ hello }"), { data: { hello: null }, errors: ["no voice"] });
  deepStrictEqual(await answer("{ found { __typename } }"), { data: null, errors: ["lost"] });
});

const UNKNOWN: readonly [resolvers: Record<string, Record<string, () => void>>, text: string][] = [
  [
    { Persn: { name: () => {} } },
    `Cannot use the resolver "Persn": the schema has no such type; did you mean "Person"`,
  ],
  [
    { Qwertz: { name: () => {} } },
    `Cannot use the resolver "Qwertz": the schema has no such type`,
  ],
  [
    { Person: { nmae: () => {} } },
    `Cannot use the resolver "Person.nmae": Person has no such field; did you mean "Person.name"`,
  ],
  [
    { Animal: { nam: () => {} } },
    `Cannot use the resolver "Animal.nam": Animal has no such field; did you mean "Animal.name"`,
  ],
  [
    { Mood: { HAPY: () => {} } },
    `Cannot use the resolver "Mood.HAPY": Mood has no such value; did you mean "Mood.HAPPY"`,
  ],
  [
    { Pet: { __resolvetype: () => {} } },
    `Cannot use the resolver "Pet.__resolvetype": Pet has no such field; ` +
    `did you mean "Pet.__resolveType"`,
  ],
  [
    { PersonInput: { name: () => {} } },
    `Cannot use the resolver "PersonInput.name": PersonInput has no such field`,
  ],
  [
    { query: { hello: () => {} } },
    `Cannot use the resolver "query": the schema has no such type; did you mean "Query"`,
  ],
];

for (const [resolvers, message] of UNKNOWN) {
  Deno.test(`a resolver for an unknown member is an error at creation: ${message}`, () => {
    throws(() => createMockServer(SCHEMA, { resolvers }), { name: "TypeError", message });
  });
}

Deno.test("a resolver that is undefined is ignored", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: { Query: { pets: undefined, hello: undefined }, Cat: undefined },
  });
  deepStrictEqual(await data("{ pets { __typename } hello }"), {
    pets: [{ __typename: "Cat" }, { __typename: "Dog" }],
    hello: null,
  });
});

Deno.test("resolvers that are not functions are errors at creation", () => {
  const resolvers = { Query: () => ({ hello: "you" }) };
  // @ts-expect-error the types reject it too
  throws(() => createMockServer(SCHEMA, { resolvers }), {
    name: "TypeError",
    message: 'Cannot use the resolver "Query": it must be an object of resolvers by name',
  });
  throws(
    () => createMockServer(SCHEMA, { resolvers: { Person: { name: "Ada" } } }),
    /Person\.name/,
  );
});
