import { deepStrictEqual } from "node:assert/strict";
import { belongsTo, Model } from "miragejs";
import { createMockServer, type MockServerOptions } from "../testing/mock_server.ts";

const SCHEMA = `
  interface Named { name: String }
  type Person implements Named { id: ID! name: String posts: [Post!]! page: NoteConnection! }
  type Team implements Named { id: ID! name: String tags: [String!]! }
  type Post { id: ID! author(name: String): Person! owner: Named! place: Place! spots: [Place!]! reviewer: Team }
  type Note { id: ID! }
  type Place { city: String! }
  type PageInfo { hasPreviousPage: Boolean! hasNextPage: Boolean! startCursor: String endCursor: String }
  type NoteEdge { cursor: String! node: Note! }
  type NoteConnection { edges: [NoteEdge!]! pageInfo: PageInfo! }
  type Query {
    person: Person! people: [Person!]! posts: [Post!]! teams: [[Team!]!]! maybe: [[Team!]!] team: Team!
    byId(id: ID!): Person! hello: String! numbers: [Int!]!
  }
  type PersonPayload { person: Person success: Boolean! }
  input PersonInput { name: String }
  type Mutation { createPerson(input: PersonInput): PersonPayload! }
`;

const OWN_MODELS = { person: Model, post: Model.extend({ reviewer: belongsTo("person") }) };

const POST = { id: "7", authorId: "1", ownerId: { type: "team", id: "1" } };

const CASES: readonly [query: string, options: MockServerOptions<unknown>, message: string][] = [
  [
    "mutation { createPerson(input: {}) { success } }",
    {},
    'Cannot resolve PersonPayload.success: the PersonPayload has no "success", and the field must ' +
    "not be null. Give it one, or write a resolver for PersonPayload.success",
  ],
  [
    "{ people { posts { id } } }",
    { models: OWN_MODELS, data: { people: [{ id: "1" }] } },
    'Cannot resolve Person.posts: the Mirage model "person" has no association "posts". Add ' +
    '`posts: hasMany("post")` to it, or write a resolver for Person.posts',
  ],
  [
    "{ people { page { edges { cursor } } } }",
    { models: OWN_MODELS, data: { people: [{ id: "1" }] } },
    'Cannot resolve Person.page: the Mirage model "person" has no association "page". Add ' +
    '`page: hasMany("note")` to it, or write a resolver for Person.page',
  ],
  [
    "{ posts { author { id } } }",
    { models: OWN_MODELS, data: { posts: [{ id: "1" }] } },
    'Cannot resolve Post.author: the Mirage model "post" has no association "author". Add ' +
    '`author: belongsTo("person")` to it, or write a resolver for Post.author',
  ],
  [
    "{ posts { owner { name } } }",
    { models: OWN_MODELS, data: { posts: [{ id: "1" }] } },
    'Cannot resolve Post.owner: the Mirage model "post" has no association "owner". Add ' +
    "`owner: belongsTo({ polymorphic: true })` to it, or write a resolver for Post.owner",
  ],
  [
    "{ posts { author { id } } }",
    { data: { posts: [{ id: "7", authorId: null }] } },
    'Cannot resolve Post.author: Post 7 has no "author" ("authorId" is null), and the field must ' +
    "not be null",
  ],
  [
    "{ posts { author { id } } }",
    { data: { posts: [POST] } },
    'Cannot resolve Post.author: Post 7 has no "author" ("authorId" is "1", which no record has), ' +
    "and the field must not be null",
  ],
  [
    "{ posts { owner { name } } }",
    { data: { posts: [POST] } },
    'Cannot resolve Post.owner: Post 7 has no "owner" ("ownerId" is {"type":"team","id":"1"}, ' +
    "which no record has), and the field must not be null",
  ],
  [
    "{ posts { place { city } } }",
    { data: { posts: [POST] } },
    'Cannot resolve Post.place: Post 7 has no "place", and the field must not be null. ' +
    "Give it one, or write a resolver for Post.place",
  ],
  [
    "{ posts { spots { city } } }",
    { data: { posts: [POST] } },
    'Cannot resolve Post.spots: Post 7 has no "spots", and the field must not be null. ' +
    "Give it one, or write a resolver for Post.spots",
  ],
  [
    "{ person { id } }",
    {},
    "Cannot resolve Query.person: no Person fits, and the field must not be null. " +
    "Add a record, or write a resolver for it",
  ],
  [
    "{ byId(id: 4) { id } }",
    { data: { people: [{ id: "1" }] } },
    "Cannot resolve Query.byId: no Person fits, and the field must not be null. " +
    "Add a record, or write a resolver for it",
  ],
  [
    "{ person { posts { id } } }",
    { root: { person: { id: "9" } } },
    'Cannot resolve Person.posts: Person 9 has no "posts" ("postIds" is undefined), and the field ' +
    "must not be null",
  ],
  [
    `{ posts { author(name: "Zoë") { id } } }`,
    { data: { posts: [POST], people: [{ id: "1", name: "Ada" }] } },
    "Cannot resolve Post.author: what Post 7 has doesn't fit the arguments, and the field must not " +
    "be null",
  ],
  [
    "{ team { tags } }",
    { data: { teams: [{ id: "1" }] } },
    'Cannot resolve Team.tags: Team 1 has no "tags", and the field must not be null. ' +
    "Give it one, or write a resolver for Team.tags",
  ],
  [
    "{ hello }",
    {},
    'Cannot resolve Query.hello: no record holds the field "hello". Write a resolver for it, or ' +
    'give it to the handler as part of its "root"',
  ],
  [
    "{ numbers }",
    { root: {} },
    'Cannot resolve Query.numbers: no record holds the field "numbers". Write a resolver for it, ' +
    'or give it to the handler as part of its "root"',
  ],
  [
    "{ teams { id } }",
    {},
    "Cannot resolve Query.teams: lists of lists aren't automatic. " +
    'Write a resolver for the field "teams"',
  ],
];

for (const [query, options, message] of CASES) {
  Deno.test(`a missing non-null value is an error that says what to do: ${message}`, async () => {
    const { answer } = createMockServer(SCHEMA, options);
    deepStrictEqual(await answer(query), { data: null, errors: [message] });
  });
}

Deno.test("a non-null value at the root may come from the root value", async () => {
  const root = { hello: "Hi", numbers: () => Promise.resolve([1]), person: { id: "8" } };
  const { data } = createMockServer(SCHEMA, { root });
  deepStrictEqual(await data("{ hello numbers person { id } }"), {
    hello: "Hi",
    numbers: [1],
    person: { id: "8" },
  });
});

Deno.test("a missing nullable value is null", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: { posts: [{ id: "1", reviewerId: "9" }, { id: "2" }] },
  });
  deepStrictEqual(await data("{ maybe { id } posts { reviewer { id } } }"), {
    maybe: null,
    posts: [{ reviewer: null }, { reviewer: null }],
  });
});

Deno.test("ids in a list that no record has are omitted", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: {
      people: [{ id: "1", postIds: ["8", "1", "9"], pageIds: ["9", "1"] }],
      posts: [{ id: "1" }],
      notes: [{ id: "1" }],
    },
  });
  deepStrictEqual(await data("{ people { posts { id } page { edges { node { id } } } } }"), {
    people: [{ posts: [{ id: "1" }], page: { edges: [{ node: { id: "1" } }] } }],
  });
});
