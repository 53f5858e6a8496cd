import { createFetchHandler } from "@trestle/mirage-graphql";
import { createServer } from "miragejs";

const graphQLSchema = "type Query { people: [Person!]! } type Person { id: ID! name: String! }";
const { schema, db } = createServer({ environment: "test" });
db.loadData({ people: [{ name: "Ada" }] });

const handler = createFetchHandler(graphQLSchema, schema);
const response = await handler(new Request("http://localhost/?query={people{name}}"));
console.log(await response.json()); // { data: { people: [ { name: "Ada" } ] } }
