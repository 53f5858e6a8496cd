import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { hasExpected } from "../bench/reach/documented_operation.ts";
import type { Family } from "../bench/reach/documented_operation.ts";
import { amplify as amplifyFamily } from "../bench/reach/families/amplify.ts";
import { hasura as hasuraFamily } from "../bench/reach/families/hasura.ts";
import { keystone as keystoneFamily } from "../bench/reach/families/keystone.ts";
import { postgraphile as postgraphileFamily } from "../bench/reach/families/postgraphile.ts";
import { strapi as strapiFamily } from "../bench/reach/families/strapi.ts";
import type { Dialect } from "../dialects/dialect.ts";
import {
  amplify,
  general,
  hasura,
  keystone,
  pgGraphql,
  postgraphile,
  prisma,
  strapi,
} from "../every_dialect.ts";
import { createOrm } from "../orm/orm.ts";
import { toExecutableSchema } from "../schema/executable_schema.ts";
import { insertSeeds } from "../serving/insert_seeds.ts";
import { parseSeeds } from "../serving/read_seeds.ts";
import { createMockServer } from "../testing/mock_server.ts";

const FAMILIES: [dialect: Dialect, family: Family][] = [
  [hasura, hasuraFamily],
  [keystone, keystoneFamily],
  [postgraphile, postgraphileFamily],
  [amplify, amplifyFamily],
  [strapi, strapiFamily],
];

for (const [dialect, { schema, seeds, operations }] of FAMILIES) {
  for (const { name, query, expected } of operations) {
    if (!query.startsWith("mutation") || typeof expected === "function") continue;
    Deno.test(`${dialect.name} alone explains its mutations: ${name}`, async () => {
      const { answer, server } = createMockServer(schema, {
        conventions: [dialect],
        defaults: "generate",
      });
      const orm = createOrm(toExecutableSchema(schema), server.schema);
      insertSeeds(orm, parseSeeds(orm, JSON.stringify(seeds)));
      const { data, errors } = await answer(query);
      deepStrictEqual(errors, []);
      ok(hasExpected(data, expected), JSON.stringify(data));
    });
  }
}

const POSTS = `
  type Post { id: ID! title: String views: Int archived: Boolean }
  type Query { posts: [Post!]! }
  input Find { title: Eq }
  input Eq { eq: String }
  input PostInput { title: String views: Int }
  type Many { count: Int! }
`;

const DATA = { posts: [{ title: "One", views: 1 }, { title: "Two", views: 2 }] };

const ours: Dialect = {
  name: "ours",
  list: { filter: { argument: "find", operators: { eq: "eq" } } },
  mutations: {
    "archive{Record}": { does: "update", id: "key", set: { archived: true }, gives: "record" },
    "raise{Records}": { does: "update", find: "filter", by: "change", gives: { count: "count" } },
  },
  changes: { by: "increment" },
};

Deno.test("a user's own dialect explains what no rule of types does", async () => {
  const { data } = createMockServer(
    `${POSTS}
    type Mutation { archivePost(id: ID!): Post raisePosts(find: Find!, by: PostInput!): Many }`,
    { conventions: [ours], data: DATA },
  );
  deepStrictEqual(
    await data(`mutation {
      archivePost(id: 2) { title archived }
      raisePosts(find: { title: { eq: "One" } }, by: { views: 10 }) { count }
    }`),
    { archivePost: { title: "Two", archived: true }, raisePosts: { count: 1 } },
  );
  deepStrictEqual(await data("{ posts { views archived } }"), {
    posts: [{ views: 11, archived: null }, { views: 2, archived: true }],
  });
});

Deno.test("of several dialects, the first that has an argument's role decides", async () => {
  const { data } = createMockServer(
    `${POSTS}
    type Mutation { updateManyPosts(where: Find, data: PostInput!): Many }`,
    { conventions: [keystone, prisma, general], data: DATA },
  );
  deepStrictEqual(
    await data(`mutation { updateManyPosts(where: {}, data: { views: 0 }) { count } }`),
    { updateManyPosts: { count: 2 } },
  );
});

const REFUSED: [dialect: Dialect, mutation: string, call: string, reason: string][] = [
  [
    hasura,
    "update_posts(where: Find!, _set: PostInput, silent: Boolean): Many",
    'update_posts(where: {}, _set: { title: "x" }) { count }',
    'takes "silent", which is not in hasura: update_posts(where, _set, _*)',
  ],
  [
    prisma,
    "updateManyPost(where: Find, data: PostInput!, limit: Int): Many",
    'updateManyPost(data: { title: "x" }) { count }',
    'takes "limit", which is not in prisma: updateManyPost(data, where)',
  ],
  [
    prisma,
    "updateManyPost(where: Find, data: PostInput!): Many",
    'updateManyPost(data: { title: "x" }) { count }',
    "needs the id of the Post to update, and the call has none; an empty object finds all " +
    "(prisma: updateManyPost(data, where))",
  ],
  [
    pgGraphql,
    "updatePostCollection(set: PostInput!, filter: Find, atMost: Int! = 1): Post",
    'updatePostCollection(set: { title: "x" }) { id }',
    "returns Post, which does not fit pg_graphql: updatePostCollection(set, filter, atMost)",
  ],
];

for (const [dialect, mutation, call, reason] of REFUSED) {
  Deno.test(`a refusal names dialect and rule: ${dialect.name}: ${mutation}`, async () => {
    const { errors, dump } = createMockServer(`${POSTS} type Mutation { ${mutation} }`, {
      conventions: [dialect],
      data: DATA,
    });
    const before = dump();
    const [message = ""] = await errors(`mutation { ${call} }`);
    const stated = /Please supply a resolver for this mutation\. It (.*)\. Write/.exec(message)
      ?.[1];
    strictEqual(stated, reason);
    deepStrictEqual(dump(), before);
  });
}
