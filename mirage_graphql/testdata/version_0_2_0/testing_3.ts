import { createGraphQLHandler } from "@trestle/mirage-graphql";
import { createServer } from "miragejs";

const graphQLSchema = "type Query { people: [Person!]! } type Person { id: ID! name: String! }";
const { schema, db } = createServer({ environment: "test" });
const handler = createGraphQLHandler(graphQLSchema, schema, {
  persistedOperations: { "91c0e3": "query People { people { name } }" }, // the manifest of the build
  persistedOnly: true,
});
db.loadData({ people: [{ name: "Ada" }] });

const { data } = await handler(schema, { requestBody: { documentId: "91c0e3" } });
console.log(JSON.stringify(data)); // {"people":[{"name":"Ada"}]}
const { errors } = await handler(schema, { requestBody: { query: "{ people { id } }" } });
console.log(errors?.[0]?.extensions?.code); // PERSISTED_QUERY_ONLY
