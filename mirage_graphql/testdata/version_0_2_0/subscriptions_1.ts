import { createGraphQLSubscriptions } from "@trestle/mirage-graphql";
import { createServer } from "miragejs";

const graphQLSchema = `
  type Person { id: ID!, name: String!, posts: [Post!]! }
  type Post { id: ID!, title: String!, author: Person }
  type Query { people: [Person!]!, posts: [Post!]! }
  type Subscription {
    personCreated: Person!
    postUpdated(id: ID!): Post
    onPostDeleted(authorId: ID): ID
  }
`;
const server = createServer({ environment: "test" });
const { subscribe } = createGraphQLSubscriptions(graphQLSchema, server.schema);

const results = subscribe({ query: "subscription { personCreated { id name } }" });
server.db.loadData({ people: [{ name: "Ada" }] });

for await (const { data } of results) {
  console.log(JSON.stringify(data)); // {"personCreated":{"id":"1","name":"Ada"}}
  break; // ends the subscription; so do results.return(), `await using` and the option signal
}
