import { createGraphQLHandler } from "@trestle/mirage-graphql";
import { createServer } from "miragejs";

const graphQLSchema = `
  interface Node { id: ID! }
  type Person implements Node { id: ID! name: String! }
  type Query { people: [Person!]! node(id: ID!): Node }
`;
const server = createServer({ environment: "test" });
const handler = createGraphQLHandler(graphQLSchema, server.schema, { ids: "global" });
server.db.loadData({ people: [{ name: "Ada" }] });

console.log(await handler.query(`{ people { id } node(id: "Person:1") { __typename } }`));
// { people: [ { id: "Person:1" } ], node: { __typename: "Person" } }
