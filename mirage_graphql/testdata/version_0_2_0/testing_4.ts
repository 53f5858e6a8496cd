import { createGraphQLHandler } from "@trestle/mirage-graphql";
import { createServer } from "miragejs";

const { schema, db } = createServer({ environment: "test" });
const graphQLSchema = `
  type Order { id: ID! }
  type Person { id: ID! name: String! }
  type Query { orders: [Order!]!, people: [Person!]! }
`;
const handler = createGraphQLHandler(graphQLSchema, schema, {
  passthrough: ["GetInvoices"], // whole operations, by name
  mergeInto: "https://api.example.com/graphql", // answers `orders`, which has no resolver here
  resolvers: { Query: { people: (_obj, _args, { mockSchema }) => mockSchema.db.people } },
});
db.loadData({ people: [{ name: "Ada" }] });
console.log(await handler.query("{ people { name } }")); // { people: [ { name: "Ada" } ] }
