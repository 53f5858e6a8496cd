import { buildSchema } from "graphql";
import { strictEqual } from "node:assert/strict";
import { describeTypes } from "./describe_types.ts";
import { createShapeOf, type Kind } from "./shapes.ts";

const SCHEMA = buildSchema(`
  interface Node { id: ID! }
  type Post implements Node { id: ID! title: String views: Int tags: [String!] }
  enum Order { ASC DESC }
  type PostEdge { node: Post cursor: String }
  type PageInfo { startCursor: String hasNextPage: Boolean }
  type PostConnection { edges: [PostEdge] pageInfo: PageInfo }
  type KeptConnection { id: ID! nodes: [Post] }
  type TagEdge { node: String }
  type TagConnection { edges: [TagEdge] }
  type PostList { items: [Post] meta: Meta }
  type Meta { total: Int }
  type Mixed { posts: [Post] pages: [PostList] total: Int }
  type Page { pageInfo: Meta posts: [Post] others: [Node] }
  type Added { items: [Post] meta: Meta }
  type PostAggregate { count: Int sum: PostSum }
  type PostSum { views: Int }
  type Payload { post: Post total: Int }
  type PostMutations { create(title: String): Payload }
  type Query { posts: PostConnection all: PostList page(page: Int): Page stats: PostAggregate }
  type Mutation { post: PostMutations add(title: String): Added }
  type Subscription { post: Post }
`);

const KINDS: readonly [typeName: string, kind: Kind, plain: Kind][] = [
  ["String", "leaf", "leaf"],
  ["Order", "leaf", "leaf"],
  ["Post", "object", "object"],
  ["Node", "object", "object"],
  ["Query", "query", "query"],
  ["Mutation", "mutations", "mutations"],
  ["PostMutations", "mutations", "mutations"],
  ["Subscription", "object", "object"],
  ["PostConnection", "connection", "connection"],
  ["KeptConnection", "object", "object"],
  ["PostEdge", "connection part", "connection part"],
  ["PageInfo", "page facts", "connection part"],
  ["TagConnection", "scalar connection", "object"],
  ["Mixed", "object", "object"],
  ["Page", "shared page", "object"],
  ["PostAggregate", "aggregates", "object"],
  ["PostSum", "aggregate function", "object"],
  ["Payload", "object", "object"],
  ["PostList", "connection", "object"],
  ["Meta", "page facts", "object"],
  ["Added", "object", "object"],
];

const all = createShapeOf(SCHEMA, { connections: true, aggregates: true, describeTypes });
const plain = createShapeOf(SCHEMA);
for (const [typeName, kind, plainKind] of KINDS) {
  Deno.test(`the kind of ${typeName} is "${kind}", and without conventions "${plainKind}"`, () => {
    const type = SCHEMA.getType(typeName)!;
    strictEqual(all(type).kind, kind);
    strictEqual(plain(type).kind, plainKind);
  });
}
