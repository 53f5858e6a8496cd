import { deepStrictEqual } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  interface Node { id: ID! }
  input PostWhere { title_contains: String }
  type Post implements Node { id: ID! title: String author: Author }
  type Author implements Node { id: ID! name: String posts: [Post!]! postsCount(where: PostWhere): Int! }
  type Film { id: Int! title: String }
  type Query {
    posts(ids: [ID!], postIds: [ID], authorIds: [ID!]): [Post!]!
    post(postId: ID, post_id: String): Post
    film(filmID: Int!): Film
    films_by_pk(id: Int!): Film
    nodes(ids: [ID!]!): [Node]!
    films(ids: [Int!]!): [Film!]!
    node(id: ID!): Node
    author(id: ID!): Author
    postsCount(where: PostWhere): Int!
    countAuthors: Int
    filmCount: Int
  }
`;

const DATA = {
  authors: [{ id: "7", name: "Ada", postIds: ["1", "3"] }, { id: "8", name: "Bea", postIds: [] }],
  posts: [
    { id: "1", title: "One", authorId: "7" },
    { id: "2", title: "Two", authorId: null },
    { id: "3", title: "Three", authorId: "7" },
  ],
  films: [{ id: "1", title: "Alien" }, { id: "2", title: "Brazil" }],
};

const ANSWERS: readonly [query: string, expected: unknown][] = [
  ["posts(ids: [3, 1]) { id }", [{ id: "1" }, { id: "3" }]],
  ["posts(ids: []) { id }", []],
  ["posts(postIds: [2]) { id }", [{ id: "2" }]],
  ["posts(authorIds: [7]) { id }", [{ id: "1" }, { id: "3" }]],
  ["post(postId: 2) { title }", { title: "Two" }],
  [`post(post_id: "3") { title }`, { title: "Three" }],
  ["film(filmID: 2) { id title }", { id: 2, title: "Brazil" }],
  ["films_by_pk(id: 2) { id title }", { id: 2, title: "Brazil" }],
  ["films_by_pk(id: 3) { id title }", null],
  ["nodes(ids: [8, 2]) { id }", [{ id: "8" }, { id: "2" }]],
  ["nodes(ids: [2, 9, 2]) { id }", [{ id: "2" }, null, { id: "2" }]],
  ["nodes(ids: []) { id }", []],
  ["films(ids: [2, 9, 1]) { title }", [{ title: "Brazil" }, { title: "Alien" }]],
  ["node(id: 8) { id }", { id: "8" }],
  ["postsCount", 3],
  [`postsCount(where: { title_contains: "T" })`, 2],
  ["author(id: 7) { postsCount }", { postsCount: 2 }],
  [`author(id: 7) { postsCount(where: { title_contains: "T" }) }`, { postsCount: 1 }],
  ["countAuthors", 2],
  ["filmCount", 2],
];

for (const [query, expected] of ANSWERS) {
  Deno.test(`with the conventions of ids and aggregates, { ${query} } is answered`, async () => {
    const { data } = createMockServer(SCHEMA, { data: DATA, conventions: "common" });
    deepStrictEqual(Object.values(await data(`{ ${query} }`)), [expected]);
  });
}
