import { createGraphQLHandler } from "@trestle/mirage-graphql";
import { createServer } from "miragejs";

const graphQLSchema = "type Query { people: [Person!]! } type Person { id: ID! name: String! }";
const { schema, db } = createServer({ environment: "test" });
const handler = createGraphQLHandler(graphQLSchema, schema, { latency: 5 });
db.loadData({ people: [{ name: "Ada" }] });

handler.failNext("People", new Error("disk full")); // or 503, a Response, "network", "timeout"
const query = "query People { people { name } }";
console.log(await handler.query(query).catch(({ message }) => message));
// Cannot return data: disk full
console.log(await handler.query(query)); // { people: [ { name: "Ada" } ] }
console.log((await handler.seen("People")).type); // query
console.log(handler.operations.map(({ name, errors }) => [name, errors.length]));
// [ [ "People", 1 ], [ "People", 0 ] ]
handler.reset(); // between two tests
