/** A small app that uses the three packages, as a user would write it: files by path. */
export const DENO_APP: Readonly<Record<string, string>> = {
  "main.ts": `import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { api, cancelPendingRequests, useApi } from "@trestle/api-wrapper";
import { api as coreApi } from "@trestle/api-wrapper/core";
import { createApp, DEFAULT_CALLER, parseConfig } from "@trestle/mcp-server";
import { createFetchHandler, createGraphQLHandler } from "@trestle/mirage-graphql";
import axios, { isCancel } from "axios";
import { createServer } from "miragejs";

const graphQLSchema = \`
  type Person { id: ID! name: String! }
  type Query { people(name: String): [Person!]! }
\`;
const mirage = createServer({ environment: "test" });
const handler = createGraphQLHandler(graphQLSchema, mirage.schema);
mirage.db.loadData({ people: [{ name: "Ada" }, { name: "Bo" }] });
const query = '{ people(name: "Bo") { id name } }';
deepStrictEqual(await handler.query(query), { people: [{ id: "2", name: "Bo" }] });

const answerQuery = createFetchHandler(graphQLSchema, mirage.schema);
await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) =>
  request.url.endsWith("/people/late") ? new Promise<Response>(() => {}) : answerQuery(request));
const baseURL = \`http://127.0.0.1:\${server.addr.port}\`;
const people = api("/people", axios.create({ baseURL }));
const { data, call } = useApi((search: string) => people.get<{ data: unknown }>(search), false);
await call("?query=" + encodeURIComponent(query));
deepStrictEqual(data.value, { data: { people: [{ id: "2", name: "Bo" }] } });
strictEqual(coreApi, api);
const late = people.get("late").catch(isCancel);
cancelPendingRequests();
strictEqual(await late, true);

const tools = new URL("tools", import.meta.url).pathname;
const config = parseConfig(["--tools", tools], { PATH: Deno.env.get("PATH") ?? "" }, 2);
const app = await createApp(config, { builtInTools: false });
const client = { signal: AbortSignal.timeout(60_000) };
const options = { transport: "embedded", client, caller: DEFAULT_CALLER } as const;
const outcome = await app.service.call("greet", { name: "Ada" }, options);
await app.close();
deepStrictEqual(outcome.ok && outcome.result.structuredContent, { greeting: "Hello, Ada\\n" });
console.log("all three work");
`,
  "schema.graphql": "type Person { id: ID! name: String! } type Query { people: [Person!]! }",
  "tools/greet.ts": `import {
  buildResponse,
  runCommand,
  type ToolModule,
  z,
} from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Greet someone.", { name: z.string() }, async ({ name }, extra) => {
    const { stdout } = await runCommand(["echo", \`Hello, \${name}\`], extra);
    return buildResponse({ greeting: stdout });
  });
};
export default register;
`,
};
