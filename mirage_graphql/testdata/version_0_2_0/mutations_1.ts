import { createGraphQLHandler } from "@trestle/mirage-graphql";
import { createServer } from "miragejs";

const graphQLSchema = `
  type User { id: ID! name: String posts: [Post!]! }
  type Post { id: ID! title: String views: Int author: User }
  type Query { posts: [Post!]! }
  input Text { contains: String }
  input PostWhere { title: Text author: UserWhere }
  input UserWhere { name: Text }
  input Views { increment: Int }
  input Author { connect: UserUnique create: NewUser disconnect: Boolean }
  input UserUnique { id: ID name: String }
  input NewUser { name: String }
  input PostData { title: String views: Views author: Author }
  type Batch { count: Int! }
  type Mutation { updateManyPosts(where: PostWhere!, data: PostData!): Batch! }
`;
const { schema, db } = createServer({ environment: "test" });
const { query } = createGraphQLHandler(graphQLSchema, schema, { conventions: "common" });
db.loadData({
  users: [{ name: "Ada", postIds: ["1"] }, { name: "Grace", postIds: [] }],
  posts: [{ title: "Engines", views: 1, authorId: "1" }],
});

console.log(
  await query(`mutation {
    updateManyPosts(
      where: { author: { name: { contains: "Ad" } } }
      data: { views: { increment: 2 }, author: { connect: { name: "Grace" } } }
    ) { count }
  }`),
); // { updateManyPosts: { count: 1 } }
console.log(db.users?.[1]?.postIds, db.posts?.[0]?.views); // [ "1" ] 3
