import { createServer } from "miragejs";
import { createFetchHandler } from "../../mod.ts";

const graphQLSchema = `
  type Person { id: ID!, name: String! }
  type Query { people: [Person!]! }
  type Subscription { personCreated: Person! }
`;
const nativeRequest = Request;
const { db, schema } = createServer({ environment: "test" });
const handler = createFetchHandler(graphQLSchema, schema, { maxBodyBytes: 1000 });

const ask = (query: string, accept = "application/json") =>
  handler(
    new Request("http://localhost/graphql", {
      method: "POST",
      headers: { Accept: accept, "Content-Type": "application/json" },
      body: JSON.stringify({ query }),
    }),
  );

const events = await ask("subscription { personCreated { name } }", "text/event-stream");
db.loadData({ people: [{ name: "Zoë" }] });
const reader = events.body?.getReader();
let streamed = "";
while (!streamed.includes("Zoë")) {
  const read = await reader?.read();
  if (read?.value === undefined) break;
  streamed += new TextDecoder().decode(read.value);
}
await reader?.cancel();

const answers = {
  isReplaced: Request !== nativeRequest,
  streamed,
  people: await (await ask("{ people { name } }")).json(),
  large: (await ask(`{ people { name } } #${"-".repeat(1000)}`)).status,
};
const output = document.createElement("output");
output.textContent = JSON.stringify(answers);
document.body.append(output);
