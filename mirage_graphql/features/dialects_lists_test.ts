import { deepStrictEqual, ok } from "node:assert/strict";
import { hasExpected } from "../bench/reach/documented_operation.ts";
import type { Family } from "../bench/reach/documented_operation.ts";
import { amplify as amplifyFamily } from "../bench/reach/families/amplify.ts";
import { hasura as hasuraFamily } from "../bench/reach/families/hasura.ts";
import { keystone as keystoneFamily } from "../bench/reach/families/keystone.ts";
import { postgraphile as postgraphileFamily } from "../bench/reach/families/postgraphile.ts";
import { relay as relayFamily } from "../bench/reach/families/relay.ts";
import { strapi as strapiFamily } from "../bench/reach/families/strapi.ts";
import { listWordsOf } from "../arguments/list_words.ts";
import type { Dialect } from "../dialects/dialect.ts";
import {
  amplify,
  COMMON,
  general,
  hasura,
  keystone,
  postgraphile,
  relay,
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
  [relay, relayFamily],
];

for (const [dialect, { schema, seeds, operations }] of FAMILIES) {
  for (const { name, query, expected } of operations) {
    if (query.startsWith("mutation") || typeof expected === "function") continue;
    Deno.test(`${dialect.name} alone explains its queries: ${name}`, async () => {
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

const operatorNames = new Set(
  COMMON.flatMap(({ list }) => Object.keys(list?.filter?.operators ?? {})),
);
for (const name of operatorNames) {
  Deno.test(`of all dialects together, the operator "${name}" is what general guesses`, () => {
    deepStrictEqual(listWordsOf(COMMON).operator(name), listWordsOf([general]).operator(name));
  });
}

const ours: Dialect = {
  name: "ours",
  list: {
    limit: "atMost",
    offset: "paging.leaveOut",
    order: {
      argument: "ranked",
      direction: "way",
      directions: { up: "asc", down: "desc" },
    },
    filter: {
      argument: "such",
      and: "allOf",
      or: "oneOf",
      not: "noneOf",
      related: { has: "some", lacks: "none" },
      operators: { beginning: "starts ignoring case", beyond: "gt" },
    },
  },
};

const POSTS = `
  type Post { id: ID! title: String views: Int comments: [Comment!]! }
  type Comment { id: ID! text: String post: Post }
  input Paging { leaveOut: Int }
  input Such {
    title: Texts views: Numbers comments: Comments allOf: [Such!] oneOf: [Such!] noneOf: Such
  }
  input Texts { beginning: String }
  input Numbers { beyond: Int }
  input Comments { has: SuchComment lacks: SuchComment }
  input SuchComment { text: Texts }
  type Query { posts(atMost: Int, paging: Paging, ranked: String, way: String, such: Such): [Post!]! }
`;

const DATA = {
  posts: [
    { id: "1", title: "One", views: 3, commentIds: ["1"] },
    { id: "2", title: "Two", views: 1 },
    { id: "3", title: "Three", views: 2 },
  ],
  comments: [{ id: "1", text: "Good", postId: "1" }],
};

const LISTS: [args: string, ids: string[]][] = [
  ["atMost: 2", ["1", "2"]],
  ["paging: { leaveOut: 1 }", ["2", "3"]],
  ['ranked: "views", way: "down"', ["1", "3", "2"]],
  ['such: { title: { beginning: "t" } }', ["2", "3"]],
  ["such: { oneOf: [{ views: { beyond: 2 } }] }", ["1"]],
  ['such: { noneOf: { title: { beginning: "t" } } }', ["1"]],
  ['such: { comments: { has: { text: { beginning: "g" } } } }', ["1"]],
  ['such: { comments: { lacks: { text: { beginning: "g" } } } }', ["2", "3"]],
];

for (const conventions of [[ours], [ours, ...COMMON]]) {
  const label = conventions.length === 1 ? "alone" : "before all others";
  for (const [args, ids] of LISTS) {
    Deno.test(`a user's own dialect ${label} names the arguments of lists: ${args}`, async () => {
      const { data } = createMockServer(POSTS, { conventions, data: DATA });
      deepStrictEqual(await data(`{ posts(${args}) { id } }`), {
        posts: ids.map((id) => ({ id })),
      });
    });
  }
}

Deno.test("a dialect has no other names than its own", async () => {
  const { errors } = createMockServer(
    `type Post { id: ID! title: String } input Find { title: Texts } input Texts { like: String eq: String }
    type Query { posts(where: Find, limit: Int): [Post!]! found(such: Find): [Post!]! }`,
    { conventions: [ours] },
  );
  deepStrictEqual((await errors("{ posts(limit: 1) { id } }")).length, 1);
  deepStrictEqual((await errors('{ posts(where: { title: { eq: "a" } }) { id } }')).length, 1);
  deepStrictEqual((await errors('{ found(such: { title: { like: "a" } }) { id } }')).length, 1);
});
