import { deepStrictEqual } from "node:assert/strict";
import { buildSchema } from "graphql";
import { createShapeOf } from "../../schema/shapes.ts";
import { modelTypes } from "./model_types.ts";

const CASES: { rule: string; typeDefs: string; host?: string[]; expected: string[] }[] = [
  {
    rule: "a type with an id",
    typeDefs: "type Query { n: Int } type Post { id: ID! }",
    expected: ["Post"],
  },
  {
    rule: "a type with a user-defined model",
    typeDefs: "type Query { n: Int } type Post { title: String } type Tag { name: String }",
    host: ["Post"],
    expected: ["Post"],
  },
  {
    rule: "a type that a query returns, alone or in lists",
    typeDefs:
      "type Query { a: A! b: [[B!]!] } type A { n: Int } type B { n: Int } type C { n: Int }",
    expected: ["A", "B"],
  },
  {
    rule: "the members of abstract types that a query returns",
    typeDefs: `
      type Query { found: [Found] shape: Shape }
      union Found = A | B
      interface Shape { n: Int }
      type A { n: Int } type B { n: Int } type C implements Shape { n: Int } type D { n: Int }
    `,
    expected: ["A", "B", "C"],
  },
  {
    rule: "the nodes of a connection that a query returns, and no part of the connection",
    typeDefs: `
      type Query { posts: PostConnection! }
      type PostConnection { edges: [PostEdge] pageInfo: PageInfo! }
      type PostEdge { id: ID! cursor: String! node: Post }
      type PageInfo { id: ID! startCursor: String hasNextPage: Boolean! }
      type Post { title: String }
    `,
    expected: ["Post"],
  },
  {
    rule: "a type that a mutation returns, unless it is a payload, a list of records or an error",
    typeDefs: `
      type Query { n: Int }
      type Mutation {
        createPost: PostPayload createTag: Tag createList: TagList deletePost: DeleteResult
        tryPost: PostOrError
      }
      union PostOrError = Post | TagError
      type TagError { message: String }
      type DeleteResult { ok: Boolean }
      type PostPayload { post: Post clientMutationId: String errors: [PayloadError] }
      type PayloadError { message: String }
      type Post { id: ID! }
      type Tag { name: String parent: Tag }
      type TagList { tags: [Tag] }
    `,
    expected: ["Post", "Tag"],
  },
  {
    rule: "no member of an abstract type that a mutation returns, except a model",
    typeDefs: `
      type Query { n: Int }
      type Mutation { createPost: PostResult createShape: Shape }
      union PostResult = Post | PostError
      type Post { id: ID! } type PostError { message: String }
      union Shape = Circle | Square
      type Circle { r: Int } type Square { a: Int }
    `,
    expected: ["Post", "Circle", "Square"],
  },
  {
    rule: "no embedded type, which only other types contain",
    typeDefs: `
      type Query { person: Person }
      type Person { id: ID! address: Address }
      type Address { city: String geo: Geo } type Geo { lat: Float }
    `,
    expected: ["Person"],
  },
  {
    rule: "no root type, whatever its name, and with an id",
    typeDefs: `
      schema { query: Q mutation: M subscription: S }
      type Q { id: ID! } type M { id: ID! } type S { id: ID! } type Post { id: ID! q: Q }
    `,
    host: ["Q"],
    expected: ["Post"],
  },
];

for (const { rule, typeDefs, host = [], expected } of CASES) {
  Deno.test(`modelTypes() includes ${rule}`, () => {
    const graphQLSchema = buildSchema(typeDefs);
    const shapeOf = createShapeOf(graphQLSchema);
    const types = modelTypes(graphQLSchema, shapeOf, (name) => host.includes(name));
    deepStrictEqual(types.map(({ name }) => name), expected);
  });
}
