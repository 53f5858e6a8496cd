import { createGraphQLHandler } from "@trestle/mirage-graphql";
import { createServer } from "miragejs";

const graphQLSchema = `
  enum State { DRAFT DONE }
  type Post { id: ID! title: String! state: State! price: Float! }
  input PostInput { title: String! }
  type Query { posts(state: State): [Post!]! }
  type Mutation { createPost(input: PostInput!): Post! }
`;
const { schema, db } = createServer({ environment: "test" });
const { query } = createGraphQLHandler(graphQLSchema, schema, { defaults: "generate" });

await query('mutation { createPost(input: { title: "One" }) { id } }');
console.log(db.posts?.[0]); // { title: "One", state: "DRAFT", price: 0, id: "1" }
console.log(await query("{ posts(state: DRAFT) { price } }")); // { posts: [{ price: 0 }] }
