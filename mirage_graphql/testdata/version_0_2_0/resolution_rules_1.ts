import { createGraphQLHandler } from "@trestle/mirage-graphql";
import { createServer } from "miragejs";

const graphQLSchema = `
  enum Role { ADMIN USER }
  type Person { id: ID! name: String! role: Role }
  type Query { people(id: [ID!], role: Role): [Person!]! person(id: ID!): Person }
`;
const server = createServer({ environment: "test" });
const handler = createGraphQLHandler(graphQLSchema, server.schema);
server.db.loadData({ people: [{ name: "Ada", role: "ADMIN" }, { name: "Grace", role: "USER" }] });

console.log(await handler.query("{ people(role: ADMIN) { name } person(id: 2) { name } }"));
// { people: [ { name: "Ada" } ], person: { name: "Grace" } }
