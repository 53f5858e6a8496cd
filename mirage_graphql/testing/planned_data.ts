import type { Tables } from "./mock_server.ts";

/** A schema with every kind of field that a plan can answer, and one of each kind that it can't. */
export const SCHEMA = `
  directive @live on FIELD
  scalar Stamp
  enum Mood { HAPPY SAD }
  interface Node { id: ID! }
  interface Named { name: String }
  type Person implements Node & Named {
    id: ID! name: String mood: Mood born: Stamp tags: [String!] grid: [[Int]] address: Address
    posts(title: String, hidden: Int): [Post!]! boss: Person
  }
  type Address { city: String! }
  type Post implements Node { id: ID! title: String! author: Person subject: Node }
  union Result = Person | Post
  type PageInfo { hasPreviousPage: Boolean! hasNextPage: Boolean! startCursor: String endCursor: String }
  type PostEdge { cursor: String! node: Post! }
  type PostConnection { edges: [PostEdge!]! nodes: [Post!]! pageInfo: PageInfo! totalCount: Int! }
  input PersonInput { name: String }
  type Query {
    people(name: String, mood: Mood): [Person!]!
    person(id: ID, name: String = "Ada"): Person
    post(id: ID!): Post!
    nodes: [Node!]!
    named: [Named]
    results: [Result!]!
    node(id: ID!): Node
    postPage(first: Int, after: String): PostConnection!
    version: String
  }
  type Mutation { createPerson(input: PersonInput!): Person }
`;

/** Records of that schema. */
export const DATA: Tables = {
  people: [
    {
      id: "1",
      name: "Ada",
      mood: "HAPPY",
      born: { year: 1815 },
      tags: ["a", "b"],
      grid: [[1, 2], [], [null]],
      address: { city: "London" },
      postIds: ["1", "2"],
      bossId: "2",
    },
    { id: "2", name: "Bea", mood: null, postIds: [] },
  ],
  posts: [
    { id: "1", title: "One", authorId: "1", subjectId: { type: "person", id: "2" } },
    { id: "2", title: "Two", authorId: "1", subjectId: { type: "post", id: "1" } },
  ],
};
