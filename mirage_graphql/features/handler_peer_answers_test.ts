import { deepStrictEqual, ok } from "node:assert/strict";
import {
  createGraphQLHandler as createPeerHandler,
  mirageGraphQLFieldResolver as resolveAsPeer,
} from "@miragejs/graphql";
import { createServer } from "miragejs";
import { createGraphQLHandler, mirageGraphQLFieldResolver } from "../mod.ts";

/** The type of field resolvers in both libraries. */
// deno-lint-ignore no-explicit-any
type Resolve = (obj: any, args: any, context: any, info: any) => any;

const SCHEMA = `
  interface Animal { id: ID! name: String! }
  type Cat implements Animal { id: ID! name: String! lives: Int }
  type Dog implements Animal { id: ID! name: String! breed: String }
  union Pet = Cat | Dog
  enum Mood { HAPPY SAD }
  type Address { city: String }
  type Person {
    id: ID! firstName: String! lastName: String! age: Int mood: Mood tags: [String!]
    posts(title: String): [Post!]! pet: Pet animals: [Animal!]!
  }
  type Post { id: ID! title: String! author: Person! comments(text: String): [Comment!]! }
  type Comment { id: ID! text: String! post: Post }
  type PageInfo { hasPreviousPage: Boolean! hasNextPage: Boolean! startCursor: String endCursor: String }
  type PersonEdge { cursor: String! node: Person! }
  type PersonConnection { edges: [PersonEdge!]! pageInfo: PageInfo! totalCount: Int! }
  input PersonInput { firstName: String lastName: String age: Int }
  type Query {
    people(lastName: String, age: Int, mood: Mood, sort: String): [Person!]!
    person(id: ID, lastName: String): Person
    posts(title: String): [Post!]!
    pets: [Pet!]!
    animal(id: ID!): Animal
    page(first: Int, after: String, last: Int, before: String, lastName: String): PersonConnection!
    total: Int
  }
  type Mutation {
    createPerson(input: PersonInput): Person
    updatePerson(id: ID!, input: PersonInput): Person
    deletePerson(id: ID!): Person
    shout(text: String): String
  }
`;

const DATA = {
  people: [
    {
      id: "1",
      firstName: "Ada",
      lastName: "Lovelace",
      age: 36,
      mood: "HAPPY",
      tags: ["a"],
      postIds: ["2", "1"],
      petId: { type: "dog", id: "1" },
      animalIds: [{ type: "cat", id: "2" }, { type: "dog", id: "1" }],
    },
    {
      id: "2",
      firstName: "Zoë",
      lastName: "Smith",
      age: 20,
      mood: "SAD",
      postIds: ["3"],
      animalIds: [],
    },
    { id: "3", firstName: "Bo", lastName: "Smith", age: 36, postIds: [], animalIds: [] },
  ],
  posts: [
    { id: "1", title: "One", authorId: "1", commentIds: ["1"] },
    { id: "2", title: "Two", authorId: "1", commentIds: [] },
    { id: "3", title: "Two", authorId: "2", commentIds: ["2", "3"] },
  ],
  comments: [
    { id: "1", text: "Good", postId: "1" },
    { id: "2", text: "Bad", postId: "3" },
    { id: "3", text: "Good", postId: "3" },
  ],
  cats: [{ id: "1", name: "Tom", lives: 9 }, { id: "2", name: "Kit" }],
  dogs: [{ id: "1", name: "Rex", breed: "Pug" }],
};

/** The example of the peer's documentation, with each library's own field resolver. */
function resolversWith(resolve: Resolve) {
  return {
    Query: {
      people(obj: unknown, args: { sort?: string }, context: unknown, info: unknown) {
        const { sort } = args;
        delete args.sort;
        const people: Record<string, string>[] = resolve(obj, args, context, info);
        if (sort === undefined) return people;
        return people.sort((a, b) => (a[sort] ?? "").localeCompare(b[sort] ?? ""));
      },
      // deno-lint-ignore no-explicit-any
      total: (_obj: unknown, _args: unknown, { mirageSchema }: any) =>
        mirageSchema.people.all().length,
    },
    Mutation: {
      shout: (_obj: unknown, { text }: { text: string }) => text.toUpperCase(),
    },
    Person: {
      lastName: ({ lastName, posts }: { lastName: string; posts: { length: number } }) =>
        `${lastName} (${posts.length})`,
    },
  };
}

type Handler = (schema: object, request: object) => unknown;

function handlers(): readonly (readonly [Handler, object])[] {
  const [mine, theirs] = [
    createServer({ environment: "test" }),
    createServer({ environment: "test" }),
  ];
  const own: Handler = createGraphQLHandler(SCHEMA, mine.schema, {
    resolvers: resolversWith(mirageGraphQLFieldResolver),
  });
  const peer: Handler = createPeerHandler(SCHEMA, theirs.schema, {
    context: {},
    resolvers: resolversWith(resolveAsPeer),
    root: undefined,
  });
  mine.db.loadData(DATA);
  theirs.db.loadData(DATA);
  return [[own, mine.schema], [peer, theirs.schema]];
}

async function answersOf(query: string, variables: object) {
  const requestBody = JSON.stringify({ query, variables });
  const both = [];
  for (const [handler, schema] of handlers()) {
    const answer = JSON.parse(JSON.stringify(await handler(schema, { requestBody })));
    both.push({ data: answer.data, errors: answer.errors });
  }
  return both;
}

const cursor = (id: string) => btoa(`Person:${id}`);
const PERSON = "id firstName lastName age mood tags posts { title }";
const PAGE = `{ edges { cursor node { ${PERSON} } }
  pageInfo { hasPreviousPage hasNextPage startCursor endCursor } totalCount }`;

const SAME: readonly [query: string, variables?: object][] = [
  [`{ people { ${PERSON} } }`],
  [`{ people(lastName: "Smith") { ${PERSON} } }`],
  [`{ people(lastName: "Smith", age: 20) { ${PERSON} } }`],
  ["{ people(mood: SAD) { id } }"],
  [`{ people(sort: "firstName") { firstName } }`],
  [`{ people(sort: "firstName", age: 36) { firstName } }`],
  ["query ($age: Int) { people(age: $age) { id } }", { age: 36 }],
  [`{ people(lastName: "Nobody") { id } }`],
  [`{ person(id: 2) { ${PERSON} } }`],
  [`query ($id: ID) { person(id: $id) { __typename id } }`, { id: "3" }],
  [`{ person(id: 9) { id } }`],
  [`{ person(lastName: "Smith") { id } }`],
  ["{ person { id } }"],
  ["{ a: person(id: 1) { id } b: person(id: 2) { name: firstName } }"],
  ["{ posts { title author { firstName posts { title comments { text post { id } } } } } }"],
  [`{ posts(title: "Two") { id comments(text: "Good") { id } } }`],
  [`{ person(id: 1) { posts(title: "One") { id author { id } } } }`],
  ["{ pets { __typename ... on Cat { id name lives } ... on Dog { id name breed } } }"],
  ["{ animal(id: 1) { ... on Dog { breed } } }"],
  ["{ animal(id: 2) { __typename name } }"],
  [`{ page ${PAGE} }`],
  [`{ page(first: 2) ${PAGE} }`],
  [`{ page(first: 1, after: "${cursor("1")}") ${PAGE} }`],
  [`{ page(last: 1) ${PAGE} }`],
  [`{ page(last: 1, before: "${cursor("3")}") ${PAGE} }`],
  [`{ page(first: 1, lastName: "Smith") { edges { node { id } } totalCount } }`],
  ["{ total }"],
  [
    "fragment names on Person { firstName ...last } fragment last on Person { lastName } { people { ...names } }",
  ],
  ["query ($short: Boolean!) { people { id firstName @skip(if: $short) } }", { short: true }],
  ["query A { total } query B { people { id } }"],
  ['{ __schema { queryType { name } } __type(name: "Person") { name kind } }'],
  [
    `mutation ($input: PersonInput) { createPerson(input: $input) { id firstName age mood tags } }`,
    { input: { firstName: "Eve", lastName: "Adams" } },
  ],
  [
    `mutation ($id: ID!, $input: PersonInput) { updatePerson(id: $id, input: $input) { id firstName age mood tags } }`,
    { id: "2", input: { age: 21 } },
  ],
  [`mutation ($id: ID!) { deletePerson(id: $id) { id firstName } }`, { id: "3" }],
  [`mutation ($text: String) { shout(text: $text) }`, { text: "hi" }],
];

for (const [query, variables = {}] of SAME) {
  Deno.test(`the response equals that of @miragejs/graphql: ${query}`, async () => {
    const [mine, theirs] = await answersOf(query, variables);
    deepStrictEqual(mine?.data, theirs?.data);
    deepStrictEqual(mine?.errors?.length, theirs?.errors?.length);
  });
}

/** Requests that the peer answers wrongly, with the correct responses. */
const OTHER: readonly [query: string, data: unknown][] = [
  ["{ person(id: 1) { posts(title: null) { id } } }", {
    person: { posts: [{ id: "2" }, { id: "1" }] },
  }],
  [
    "{ animal(id: 1) { __typename ...dog } } fragment dog on Dog { breed }",
    { animal: { __typename: "Dog", breed: "Pug" } },
  ],
  ["{ person(id: 1) { pet { __typename } animals { __typename name } } }", {
    person: {
      pet: { __typename: "Dog" },
      animals: [{ __typename: "Cat", name: "Kit" }, { __typename: "Dog", name: "Rex" }],
    },
  }],
  [
    `mutation ($id: ID!, $input: PersonInput) {
      updatePerson(id: $id, input: $input) { age posts { title } } }`,
    {
      updatePerson: { age: 21, posts: [{ title: "Two" }] },
    },
  ],
  ["{ page(last: 0) { edges { cursor } } }", { page: { edges: [] } }],
  [`mutation { createPerson(input: { firstName: "Eve", lastName: "A" }) { firstName } }`, {
    createPerson: { firstName: "Eve" },
  }],
];

for (const [query, data] of OTHER) {
  Deno.test(`the response is correct where that of @miragejs/graphql is not: ${query}`, async () => {
    const [mine, theirs] = await answersOf(query, { id: "2", input: { age: 21 } });
    deepStrictEqual(mine, { data, errors: undefined });
    ok(JSON.stringify(theirs) !== JSON.stringify(mine), "the peer now responds correctly");
  });
}
