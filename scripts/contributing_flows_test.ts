import { createGraphQLHandler, mockGraphQLFieldResolver } from "@trestle/mirage-graphql";
import { createApp, parseConfig, serveHttp } from "@trestle/mcp-server";
import { deepStrictEqual, ok } from "node:assert/strict";
import { createServer } from "miragejs";
import { createStubInstance } from "../api_wrapper/bench/stub_instance.ts";
import { api, useApi } from "../api_wrapper/mod.ts";
import { createSshTool } from "../mcp_server/testing/ssh_tool.ts";
import { startHostilePeer } from "../mcp_server/testing/hostile_ssh.ts";
import { tableRows } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import sshExec from "../tools/ssh-exec.ts";
import { filesRun } from "./testing/files_run.ts";

const GRAPHQL_SCHEMA = `
  type Person { id: ID! name: String! }
  type Query { people: [Person!]! }
  type Mutation { createPerson(name: String!): Person }
`;

/** Runs each flow of the table once; a part that is prepared before it doesn't count. */
const FLOWS: Readonly<Record<string, () => Promise<ReadonlySet<string>>>> = {
  "a query, in mirage_graphql": async () => {
    const planned = await runGraphQL("{ people { name } }");
    const people = mockGraphQLFieldResolver;
    const unplanned = await runGraphQL("{ people { name } }", { Query: { people } });
    return planned.union(unplanned);
  },
  "a mutation, in mirage_graphql": () =>
    runGraphQL(`mutation { createPerson(name: "Ada") { id } }`),
  "a tool call, in mcp_server": () => runServer((address) => callOverMcp(`${address}/mcp`)),
  "a job, in mcp_server": () => runServer(runJob),
  "an SSH command, in mcp_server": async () => {
    await using peer = await startHostilePeer();
    await using tool = await createSshTool(sshExec, { HOME: peer.home, USER: "root" });
    const connections = [{ host: peer.host, commands: ["true"] }];
    return await filesRun(() => tool.run({ connections }));
  },
  "a wrapper call, in api_wrapper": () =>
    filesRun(() => useApi(() => api("/posts", createStubInstance()).get(7), false).call()),
};

Deno.test("the flows in CONTRIBUTING.md name files that run, in each of them", async (t) => {
  const markdown = await Deno.readTextFile(`${ROOT}/CONTRIBUTING.md`);
  const rows = tableRows(markdown).filter(([name = ""]) => / in \w+$/.test(name));
  deepStrictEqual(rows.map(([name]) => name), Object.keys(FLOWS));
  for (const [name = "", steps = ""] of rows) {
    await t.step(name, async () => {
      const files = [...await FLOWS[name]?.() ?? []];
      for (const [, step = ""] of steps.matchAll(/`([^`\n]+)`/g)) {
        ok(files.some((file) => file.endsWith(`/${step}.ts`)), `${step} does not run`);
      }
    });
  }
});

function runGraphQL(query: string, resolvers = {}): Promise<ReadonlySet<string>> {
  const { schema, db } = createServer({ environment: "test" });
  const options = { conventions: "common", resolvers } as const;
  const handler = createGraphQLHandler(GRAPHQL_SCHEMA, schema, options);
  db.loadData({ people: [{ name: "Ada" }] });
  const requestBody = JSON.stringify({ query });
  return filesRun(async () => deepStrictEqual((await handler(schema, { requestBody })).code, 200));
}

/** Starts a server for a piece of code; resolves with the files that the code runs. */
async function runServer(
  code: (address: string) => Promise<void>,
): Promise<ReadonlySet<string>> {
  await using data = await createTempFolder();
  const env = {
    PATH: Deno.env.get("PATH") ?? "",
    MCP_AUDIT_FILE: "/dev/null",
    MCP_DATA_DIR: data.path,
  };
  const config = parseConfig(["--port", "0", "--log-level", "error"], env, 1);
  const app = await createApp(config);
  const { address, close } = await serveHttp(app, config);
  try {
    return await filesRun(() => code(address));
  } finally {
    await close();
    await app.close();
  }
}

async function runJob(address: string): Promise<void> {
  const response = await fetch(`${address}/api`, {
    method: "POST",
    headers: { "content-type": "application/json", "prefer": "respond-async" },
    body: JSON.stringify({ tool: "bash-script", args: { script: "echo hello" } }),
  });
  const { id } = await response.json();
  const events = await fetch(`${address}/api/jobs/${id}/events`);
  ok((await events.text()).includes("hello"), "the job runs");
}

/** A call that ends soon, and one that is left to the SDK because it takes longer than 50 ms. */
async function callOverMcp(url: string): Promise<void> {
  for (const script of ["echo hello", "sleep 0.2; echo hello"]) await callBash(url, script);
}

async function callBash(url: string, script: string): Promise<void> {
  const params = { name: "bash-script", arguments: { script } };
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "accept": "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  ok((await response.text()).includes("hello"), "the tool is called");
}
