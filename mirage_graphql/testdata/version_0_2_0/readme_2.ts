// src/mocks/server.ts
import { createGraphQLHandler } from "@trestle/mirage-graphql";
import { createServer } from "miragejs";

const graphQLSchema = "type Query { people: [Person!]! } type Person { id: ID! name: String! }";

createServer({
  routes() {
    this.post("/graphql", createGraphQLHandler(graphQLSchema, this.schema));
  },
  seeds(server) {
    server.db.loadData({ people: [{ name: "Ada" }] });
  },
});
