import {
  createGraphQLHandler as createPeerHandler,
  mirageGraphQLFieldResolver as peerFieldResolver,
} from "@miragejs/graphql";
import { deepStrictEqual, ok } from "node:assert/strict";
import { tableRows } from "../../test_support/markdown.ts";
import { createGraphQLHandler, mirageGraphQLFieldResolver } from "../mod.ts";
import * as world from "../testing/migration_world.ts";

/**
 * A request, how `@miragejs/graphql` answers it, and the response here; only the start of errors.
 */
type Difference = readonly [ask: world.Ask, was: unknown, is: unknown];

type FieldResolver = typeof mirageGraphQLFieldResolver;

const { body, left, make, query } = world;

const CREATE = "mutation ($i: PersonInput!) { createPerson(input: $i) { id posts { id } } }";
const UPDATE = "mutation ($id: ID!, $i: PersonInput!) { updatePerson(id: $id, input: $i) { id } }";
const DELETE = "mutation ($id: ID!) { deletePerson(id: $id) { id } }";
const CREATE_POST =
  "mutation ($i: PostInput!) { createPost(input: $i) { author { posts { id } } } }";
const NO_RESOLVER = "Could not find a default resolver for";
const TWO_OPERATIONS = "query A { people { id } } query B { people { name } }";

const removePerson: world.Ask = (makeHandler) => {
  const isPeer = makeHandler === makePeerHandler;
  const resolve: FieldResolver = isPeer ? peerFieldResolver : mirageGraphQLFieldResolver;
  const Mutation = { removePerson: (...args: Parameters<FieldResolver>) => !!resolve(...args) };
  const remove = "mutation ($id: ID!) { removePerson(id: $id) }";
  return left(remove, { id: "2" }, { resolvers: { Mutation } })(makeHandler);
};

const DIFFERENCES: Readonly<Record<string, Difference>> = {
  "an argument that is `null`": [
    query("{ people(name: null) { id } }"),
    { people: [{ id: "2" }] },
    { people: [{ id: "1" }, { id: "2" }] },
  ],
  "an argument that no attribute matches": [
    query('{ people(sortBy: "name") { id } }'),
    { people: [] },
    'Cannot filter Query.people by the argument "sortBy": Person has no such attribute',
  ],
  "an ID whose seed is a number, in a nested list": [
    query('{ people { posts(isbn: "7") { id } } }'),
    { people: [{ posts: [] }, { posts: [] }] },
    { people: [{ posts: [{ id: "1" }] }, { posts: [] }] },
  ],
  "a single field of a union": [
    query("{ item { __typename } }"),
    'Abstract type "Item" must resolve to an Object type at runtime',
    { item: { __typename: "Person" } },
  ],
  "a list of an interface": [
    query("{ named { id } }"),
    "Expected Iterable, but did not find one",
    { named: [{ id: "1" }, { id: "2" }, { id: "1" }, { id: "2" }] },
  ],
  "a getter of a model class": [
    world.getter,
    { people: [{ loud: null }] },
    { people: [{ loud: "Ada!" }] },
  ],
  "a mutation with its values in the text": [
    query('mutation { createPerson(input: { name: "Bo" }) { id } }'),
    NO_RESOLVER,
    { createPerson: { id: "3" } },
  ],
  "a mutation that selects relations": [
    query(CREATE, { i: { name: "Bo" } }),
    "Cannot read properties of undefined (reading 'models')",
    { createPerson: { id: "3", posts: [] } },
  ],
  "ids of relations in an input": [
    query(CREATE_POST, { i: { authorId: "1" } }),
    { createPost: { author: null } },
    { createPost: { author: { posts: [{ id: "1" }, { id: "2" }, { id: "3" }] } } },
  ],
  "updating an unknown id": [
    query(UPDATE, { id: "9", i: {} }),
    "Cannot read properties of undefined",
    'Cannot update Person "9": there is no record with this id',
  ],
  "deleting an unknown id": [
    left(DELETE, { id: "9" }),
    [{ deletePerson: null }, ["1"]],
    ['Cannot delete Person "9": there is no record with this id', ["1", "2"]],
  ],
  "the field resolver for a delete of type `Boolean`": [
    removePerson,
    [{ removePerson: false }, ["1", "2"]],
    [{ removePerson: true }, ["1"]],
  ],
  "`last: 0`": [
    query("{ posts(last: 0) { edges { cursor } } }"),
    { posts: { edges: [{ cursor: "UG9zdDox" }, { cursor: "UG9zdDoy" }] } },
    { posts: { edges: [] } },
  ],
  "`first: -1`": [
    query("{ posts(first: -1) { edges { cursor } } }"),
    { posts: { edges: [{ cursor: "UG9zdDox" }] } },
    "Cannot page with first -1: it must be 0 or more",
  ],
  "the cursor of a deleted record": [
    query('{ posts(after: "UG9zdDo5") { edges { cursor } } }'),
    { posts: { edges: [{ cursor: "UG9zdDox" }, { cursor: "UG9zdDoy" }] } },
    { posts: { edges: [] } },
  ],
  "`operationName` with several operations": [
    body(JSON.stringify({ query: TWO_OPERATIONS, operationName: "B" })),
    "Must provide operation name",
    { people: [{ name: "Ada" }, { name: null }] },
  ],
  "the status of a response": [
    world.status({ "Content-Type": "application/json" }),
    201,
    200,
  ],
  "a `fetch()` that sets no `Content-Type`": [world.status({}), 201, 415],
  "a body that is not JSON": [
    body("{"),
    { errors: [{}] },
    "Cannot read the body: it is not JSON",
  ],
  "a resolver for what the schema lacks": [
    make(world.SCHEMA, { resolvers: { Query: { peoples: () => [] } } }),
    "function",
    'TypeError: Cannot use the resolver "Query.peoples": Query has no such field; did you mean',
  ],
  "`__resolveType` in `resolvers`": [
    query("{ made { __typename } }", {}, {
      resolvers: { Query: { made: () => ({}) }, Item: { __resolveType: () => "Post" } },
    }),
    'Abstract type "Item" must resolve to an Object type at runtime',
    { made: { __typename: "Post" } },
  ],
  "relations that may each lead back": [
    make(
      `
      type Person { id: ID! posts: [Post] drafts: [Post] }
      type Post { id: ID! author: Person }
      type Query { people: [Person] }
    `,
      { strict: true },
    ),
    "function",
    'RangeError: Cannot derive the inverse of "Post.author"',
  ],
  "comments (`#`) in the schema": [
    query('{ __type(name: "Person") { description } }'),
    { __type: { description: "A human" } },
    { __type: { description: null } },
  ],
};

function makePeerHandler(...args: Parameters<world.MakeHandler>): world.AnyHandler {
  const [graphQLSchema, mockSchema, options] = args;
  const given = { context: undefined, resolvers: undefined, root: undefined, ...options };
  return createPeerHandler(graphQLSchema, mockSchema, given);
}

Deno.test("each difference that MIGRATION.md names is tested, and no other", async () => {
  const page = await Deno.readTextFile(new URL("../MIGRATION.md", import.meta.url));
  deepStrictEqual(tableRows(page).map(([first]) => first), Object.keys(DIFFERENCES));
});

for (const [name, [ask, was, is]] of Object.entries(DIFFERENCES)) {
  Deno.test(`MIGRATION.md says what @miragejs/graphql answers differently: ${name}`, async () => {
    check(await ask(makePeerHandler), was);
    check(await ask(createGraphQLHandler), is);
  });
}

function check(answer: unknown, expected: unknown): void {
  if (typeof answer !== "string" || typeof expected !== "string") {
    return deepStrictEqual(answer, expected);
  }
  ok(answer.startsWith(expected), `${answer}\ndoes not start with\n${expected}`);
}
