import { createFetchHandler } from "@trestle/mirage-graphql";
import { createClient } from "graphql-sse";
import { createServer } from "miragejs";

const graphQLSchema = `
  type Person { id: ID!, name: String! }
  type Query { people: [Person!]! }
  type Subscription { personCreated: Person! }
`;
const mirage = createServer({ environment: "test" });
const handler = createFetchHandler(graphQLSchema, mirage.schema);

const client = createClient({
  url: "http://localhost/graphql",
  fetchFn: (url: string, init: RequestInit) => handler(new Request(url, init)), // else the network
  on: { connected: () => mirage.db.loadData({ people: [{ name: "Ada" }] }) },
});
for await (const { data } of client.iterate({ query: "subscription { personCreated { name } }" })) {
  console.log(data); // { personCreated: { name: "Ada" } }
  break;
}
client.dispose();
