import { createGraphQLHandler } from "@trestle/mirage-graphql";
import { createServer } from "miragejs";

const graphQLSchema = `
  type Person { id: ID! name: String! posts: [Post!]! }
  type Post { id: ID! title: String! author: Person }
  input PostInput { title: String! authorId: ID }
  type Query { people(name: String): [Person!]! person(id: ID!): Person }
  type Mutation { createPost(input: PostInput!): Post }
`;

const server = createServer({ environment: "test" });
const handler = createGraphQLHandler(graphQLSchema, server.schema);
server.post("/graphql", handler);
server.db.loadData({ people: [{ name: "Ada" }, { name: "Grace" }] });

await handler.query(`mutation { createPost(input: { title: "Notes", authorId: 1 }) { id } }`);
console.log(await handler.query(`{ people(name: "Ada") { name posts { title } } }`));
// { people: [ { name: "Ada", posts: [ { title: "Notes" } ] } ] }
