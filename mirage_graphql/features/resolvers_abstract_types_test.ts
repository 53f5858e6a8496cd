import { deepStrictEqual } from "node:assert/strict";
import { DATA, SCHEMA } from "../testing/animal_data.ts";
import { createMockServer } from "../testing/mock_server.ts";

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
    "a list of a union, with inline fragments",
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
  ["a list of a union, with only one fragment", "{ pets { ... on Dog { id } } }", {
    pets: [{}, {}, { id: "1" }, { id: "3" }],
  }],
  [
    "a list with named fragments, nested in each other",
    `{ pets { ...both } } fragment both on Pet { ...dog ...cat }
     fragment dog on Dog { breed } fragment cat on Cat { lives }`,
    { pets: [{ lives: 9 }, { lives: 7 }, { breed: "Pug" }, { breed: null }] },
  ],
  [
    "a list with a fragment on an interface that the types implement",
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
  ["a single field returns the first record", "{ anyNode { __typename id } }", {
    anyNode: { __typename: "Cat", id: "1" },
  }],
  [
    "a single field returns the first record that matches",
    `{ animal(name: "Rex") { __typename id } }`,
    {
      animal: { __typename: "Dog", id: "1" },
    },
  ],
  [
    "a single field returns the type of its fragment",
    "{ node(id: 1) { ... on Dog { name } } }",
    {
      node: { name: "Rex" },
    },
  ],
  [
    "a single field returns another type if no record of the fragment's type matches",
    "{ node(id: 5) { __typename ... on Dog { name } } }",
    { node: { __typename: "HTTPLog" } },
  ],
  [
    "of several fragments the first type with a matching record counts",
    "{ node(id: 3) { __typename ... on Cat { lives } ... on Dog { name } } }",
    { node: { __typename: "Dog", name: "Kit" } },
  ],
  [
    "fragments count in their order",
    "{ pet(id: 1) { __typename ... on Dog { name } ... on Cat { name } } }",
    { pet: { __typename: "Dog", name: "Rex" } },
  ],
  [
    "a named fragment determines the type of a single field",
    "{ node(id: 1) { ...user } } fragment user on api_user { __typename login }",
    { node: { __typename: "api_user", login: "root" } },
  ],
  [
    "a fragment on an interface narrows a single field to its types",
    "{ node(id: 5) { ... on Animal { name } ... on HTTPLog { path } } }",
    { node: { path: "/five" } },
  ],
  [
    "a fragment in a fragment on an interface determines the type",
    "{ node(id: 1) { ... on Animal { ... on Dog { name } } } }",
    { node: { name: "Rex" } },
  ],
  [
    "a fragment on an interface puts its types before the others",
    "{ oneThing(id: 1) { __typename ... on Named { name } } }",
    { oneThing: { __typename: "Person", name: "Ada" } },
  ],
  [
    "the types of a fragment on an interface keep the order of the union",
    "{ dogFirst(id: 1) { __typename ... on Animal { name } } }",
    { dogFirst: { __typename: "Dog", name: "Rex" } },
  ],
  [
    "a fragment on an object type counts more than one on an interface",
    "{ oneThing(id: 1) { ... on Node { id } ... on Named { name } ... on Dog { name } } }",
    { oneThing: { id: "1", name: "Rex" } },
  ],
  ["a fragment without a type has no effect", "{ node(id: 1) { ... { __typename } } }", {
    node: { __typename: "Cat" },
  }],
  [
    "a fragment that @include excludes doesn't count",
    "{ node(id: 1) { __typename ... on Dog @include(if: false) { name } } }",
    { node: { __typename: "Cat" } },
  ],
  [
    "a fragment that @skip excludes doesn't count",
    "{ node(id: 1) { __typename ... on Dog @skip(if: true) { name } ... on Person { name } } }",
    { node: { __typename: "Person", name: "Ada" } },
  ],
  [
    "a named fragment that is excluded once and included once counts",
    `{ node(id: 1) { __typename ...dog @skip(if: true) ...dog @include(if: true) } }
     fragment dog on Dog { name }`,
    { node: { __typename: "Dog", name: "Rex" } },
  ],
  [
    "single fields of a union at other positions of a query are independent",
    "{ a: pet(id: 1) { ... on Cat { name } } b: pet(id: 1) { ... on Dog { name } } }",
    { a: { name: "Tom" }, b: { name: "Rex" } },
  ],
  [
    "fields of one alias are merged, fragments of all count",
    "{ node(id: 1) { __typename } node(id: 1) { ... on Dog { name } } }",
    { node: { __typename: "Dog", name: "Rex" } },
  ],
  [
    "a single field without a matching record is null",
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
    "nested single fields return the parent's records, whatever fragments there are",
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
    "missing relations of a record are null or empty lists",
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
    "owners are resolved from the members of an interface",
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
