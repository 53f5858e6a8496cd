import { deepStrictEqual } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  interface Node { id: ID! }
  interface Named { name: String }
  interface Animal implements Node { id: ID! name: String }
  type Cat implements Animal & Node { id: ID! name: String lives: Int owner: Keeper }
  type Dog implements Animal & Node { id: ID! name: String breed: String owner: Keeper }
  type Keeper { id: ID! name: String }
  type HTTPLog implements Node { id: ID! path: String }
  type api_user implements Node { id: ID! login: String logs: [HTTPLog!]! }
  union Pet = Cat | Dog
  union DogFirst = Dog | Cat
  union Anything = Cat | Dog | Person | HTTPLog | api_user
  type Person implements Node & Named {
    id: ID! name: String
    pets: [Pet!]!
    animals(name: String): [Animal]
    favorite: Pet
    first: Animal
    thing: Node
  }
  type Query {
    node(id: ID!): Node
    anyNode: Node
    nodes: [Node!]!
    animals(name: String): [Animal!]!
    animal(id: ID, name: String): Animal
    pets: [Pet!]!
    pet(id: ID): Pet
    dogFirst(id: ID): DogFirst
    anything: [Anything]
    oneThing(id: ID): Anything
    people: [Person!]!
    person(id: ID): Person
    logs: [HTTPLog!]!
    log(id: ID): HTTPLog
    users: [api_user!]!
  }
`;

const DATA = {
  cats: [{ id: "1", name: "Tom", lives: 9, ownerId: "1" }, { id: "2", name: "Kit", lives: 7 }],
  dogs: [{ id: "1", name: "Rex", breed: "Pug", ownerId: "1" }, { id: "3", name: "Kit" }],
  people: [
    {
      id: "1",
      name: "Ada",
      petIds: [{ type: "dog", id: "1" }, { type: "cat", id: "2" }, { type: "cat", id: "1" }],
      animalIds: [{ type: "cat", id: "2" }, { type: "dog", id: "3" }],
      favoriteId: { type: "cat", id: "1" },
      firstId: { type: "dog", id: "3" },
      thingId: { type: "api-user", id: "1" },
    },
    { id: "2", name: "Zoë" },
  ],
  keepers: [{ id: "1", name: "Ada" }],
  httpLogs: [{ id: "1", path: "/" }, { id: "5", path: "/five" }],
  apiUsers: [{ id: "1", login: "root", logIds: ["5"] }],
};

const CASES: readonly [name: string, query: string, expected: unknown][] = [
  [
    "a list of an interface has the records of all its types",
    "{ animals { __typename id name } }",
    {
      animals: [
        { __typename: "Cat", id: "1", name: "Tom" },
        { __typename: "Cat", id: "2", name: "Kit" },
        { __typename: "Dog", id: "1", name: "Rex" },
        { __typename: "Dog", id: "3", name: "Kit" },
      ],
    },
  ],
  [
    "a list of a union, by inline fragments",
    "{ pets { ... on Dog { id breed } ... on Cat { id lives } } }",
    {
      pets: [
        { id: "1", lives: 9 },
        { id: "2", lives: 7 },
        { id: "1", breed: "Pug" },
        { id: "3", breed: null },
      ],
    },
  ],
  ["a list of a union, by one fragment only", "{ pets { ... on Dog { id } } }", {
    pets: [{}, {}, { id: "1" }, { id: "3" }],
  }],
  [
    "a list by named fragments, nested in each other",
    `{ pets { ...both } } fragment both on Pet { ...dog ...cat }
     fragment dog on Dog { breed } fragment cat on Cat { lives }`,
    { pets: [{ lives: 9 }, { lives: 7 }, { breed: "Pug" }, { breed: null }] },
  ],
  [
    "a list by a fragment on an interface that the types implement",
    "{ pets { ... on Animal { name } ... on Node { id } } }",
    {
      pets: [
        { name: "Tom", id: "1" },
        { name: "Kit", id: "2" },
        { name: "Rex", id: "1" },
        { name: "Kit", id: "3" },
      ],
    },
  ],
  [
    "an interface that an interface implements has the records of all",
    "{ nodes { __typename id ... on Animal { name } } }",
    {
      nodes: [
        { __typename: "Cat", id: "1", name: "Tom" },
        { __typename: "Cat", id: "2", name: "Kit" },
        { __typename: "Dog", id: "1", name: "Rex" },
        { __typename: "Dog", id: "3", name: "Kit" },
        { __typename: "HTTPLog", id: "1" },
        { __typename: "HTTPLog", id: "5" },
        { __typename: "api_user", id: "1" },
        { __typename: "Person", id: "1" },
        { __typename: "Person", id: "2" },
      ],
    },
  ],
  ["a single one is the first record", "{ anyNode { __typename id } }", {
    anyNode: { __typename: "Cat", id: "1" },
  }],
  ["a single one is the first that fits", `{ animal(name: "Rex") { __typename id } }`, {
    animal: { __typename: "Dog", id: "1" },
  }],
  [
    "a single one is of the type that its fragment is on",
    "{ node(id: 1) { ... on Dog { name } } }",
    {
      node: { name: "Rex" },
    },
  ],
  [
    "a single one is of another type where none of the fragment's fits",
    "{ node(id: 5) { __typename ... on Dog { name } } }",
    { node: { __typename: "HTTPLog" } },
  ],
  [
    "of several fragments the first type that has it is taken",
    "{ node(id: 3) { __typename ... on Cat { lives } ... on Dog { name } } }",
    { node: { __typename: "Dog", name: "Kit" } },
  ],
  [
    "fragments count in their order",
    "{ pet(id: 1) { __typename ... on Dog { name } ... on Cat { name } } }",
    { pet: { __typename: "Dog", name: "Rex" } },
  ],
  [
    "a named fragment says the type of a single one",
    "{ node(id: 1) { ...user } } fragment user on api_user { __typename login }",
    { node: { __typename: "api_user", login: "root" } },
  ],
  [
    "a fragment on an interface narrows a single one to its types",
    "{ node(id: 5) { ... on Animal { name } ... on HTTPLog { path } } }",
    { node: { path: "/five" } },
  ],
  [
    "a fragment in a fragment on an interface says the type",
    "{ node(id: 1) { ... on Animal { ... on Dog { name } } } }",
    { node: { name: "Rex" } },
  ],
  [
    "a fragment on an interface puts its types before the others",
    "{ oneThing(id: 1) { __typename ... on Named { name } } }",
    { oneThing: { __typename: "Person", name: "Ada" } },
  ],
  [
    "types that a fragment on an interface is for keep the order of the union",
    "{ dogFirst(id: 1) { __typename ... on Animal { name } } }",
    { dogFirst: { __typename: "Dog", name: "Rex" } },
  ],
  [
    "a fragment on an object type counts more than one on an interface",
    "{ oneThing(id: 1) { ... on Node { id } ... on Named { name } ... on Dog { name } } }",
    { oneThing: { id: "1", name: "Rex" } },
  ],
  ["a fragment without a type says nothing", "{ node(id: 1) { ... { __typename } } }", {
    node: { __typename: "Cat" },
  }],
  [
    "a fragment that @include leaves out doesn't count",
    "{ node(id: 1) { __typename ... on Dog @include(if: false) { name } } }",
    { node: { __typename: "Cat" } },
  ],
  [
    "a fragment that @skip leaves out doesn't count",
    "{ node(id: 1) { __typename ... on Dog @skip(if: true) { name } ... on Person { name } } }",
    { node: { __typename: "Person", name: "Ada" } },
  ],
  [
    "a named fragment that is left out once and included once counts",
    `{ node(id: 1) { __typename ...dog @skip(if: true) ...dog @include(if: true) } }
     fragment dog on Dog { name }`,
    { node: { __typename: "Dog", name: "Rex" } },
  ],
  [
    "a single one of a union in another place of the same query is its own",
    "{ a: pet(id: 1) { ... on Cat { name } } b: pet(id: 1) { ... on Dog { name } } }",
    { a: { name: "Tom" }, b: { name: "Rex" } },
  ],
  [
    "fields of one alias are merged, fragments of all count",
    "{ node(id: 1) { __typename } node(id: 1) { ... on Dog { name } } }",
    { node: { __typename: "Dog", name: "Rex" } },
  ],
  [
    "a single one that no record fits is null",
    "{ node(id: 99) { id } pet(id: 99) { __typename } }",
    {
      node: null,
      pet: null,
    },
  ],
  [
    "a nested list of a union has the parent's records in their order",
    "{ person(id: 1) { pets { __typename ... on Cat { id lives } ... on Dog { id breed } } } }",
    {
      person: {
        pets: [
          { __typename: "Dog", id: "1", breed: "Pug" },
          { __typename: "Cat", id: "2", lives: 7 },
          { __typename: "Cat", id: "1", lives: 9 },
        ],
      },
    },
  ],
  [
    "a nested list of an interface, filtered",
    `{ person(id: 1) { animals { id } kits: animals(name: "Kit") { __typename id } } }`,
    {
      person: {
        animals: [{ id: "2" }, { id: "3" }],
        kits: [{ __typename: "Cat", id: "2" }, { __typename: "Dog", id: "3" }],
      },
    },
  ],
  [
    "nested single ones are the parent's, whatever fragments there are",
    `{ person(id: 1) {
      favorite { __typename ... on Dog { breed } ... on Cat { lives } }
      first { __typename ... on Cat { lives } name }
      thing { __typename ... on api_user { login logs { __typename path } } }
    } }`,
    {
      person: {
        favorite: { __typename: "Cat", lives: 9 },
        first: { __typename: "Dog", name: "Kit" },
        thing: {
          __typename: "api_user",
          login: "root",
          logs: [{ __typename: "HTTPLog", path: "/five" }],
        },
      },
    },
  ],
  [
    "relations that a record lacks are null, and empty lists",
    "{ person(id: 2) { pets { __typename } animals { id } favorite { __typename } first { id } } }",
    { person: { pets: [], animals: [], favorite: null, first: null } },
  ],
  [
    "__typename is the schema's own name",
    "{ logs { __typename } log { __typename } users { __typename } oneThing(id: 5) { __typename } }",
    {
      logs: [{ __typename: "HTTPLog" }, { __typename: "HTTPLog" }],
      log: { __typename: "HTTPLog" },
      users: [{ __typename: "api_user" }],
      oneThing: { __typename: "HTTPLog" },
    },
  ],
  [
    "owners lead back from the members of an interface",
    "{ animals { ... on Cat { owner { name } } ... on Dog { owner { name } } } }",
    {
      animals: [
        { owner: { name: "Ada" } },
        { owner: null },
        { owner: { name: "Ada" } },
        { owner: null },
      ],
    },
  ],
];

for (const [name, query, expected] of CASES) {
  Deno.test(`interfaces and unions: ${name}`, async () => {
    const { data } = createMockServer(SCHEMA, { data: DATA });
    deepStrictEqual(await data(query), expected);
  });
}

Deno.test("interfaces and unions: variables decide about @include and @skip", async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA });
  const query = `query ($dog: Boolean!) {
    node(id: 1) { __typename ... on Dog @include(if: $dog) { name } ... on Person @skip(if: $dog) { name } }
  }`;
  deepStrictEqual(await data(query, { dog: true }), { node: { __typename: "Dog", name: "Rex" } });
  deepStrictEqual(await data(query, { dog: false }), {
    node: { __typename: "Person", name: "Ada" },
  });
});

Deno.test("interfaces and unions: plain objects say their type by __typename", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: {
      Query: {
        pets: () => [{ __typename: "Cat", lives: 1 }, { __typename: "Dog", breed: "Pug" }],
        node: () => Promise.resolve({ __typename: "HTTPLog", path: "/plain" }),
      },
    },
  });
  deepStrictEqual(
    await data(
      "{ pets { ... on Cat { lives } ... on Dog { breed } } node(id: 1) { ... on HTTPLog { path } } }",
    ),
    { pets: [{ lives: 1 }, { breed: "Pug" }], node: { path: "/plain" } },
  );
});

Deno.test("interfaces and unions: a value that says no type is an error that says what to write", async () => {
  const { errors } = createMockServer(SCHEMA, {
    resolvers: { Query: { pet: () => ({ id: "1" }) } },
  });
  deepStrictEqual(await errors("{ pet { __typename } }"), [
    "Cannot tell which type a value of Query.pet has: Pet is one of Cat, Dog. " +
    'Give the value a "__typename", or write a resolver Pet.__resolveType',
  ]);
});
