import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { BUILT_IN_TOOLS } from "../../mcp_server/testing/built_in_tools.ts";
import { bearerOf, writeCallers } from "../../mcp_server/testing/callers_file.ts";
import { callApi } from "../../mcp_server/testing/http_caller.ts";
import { connectOverStdio } from "../../mcp_server/testing/mcp_peer.ts";
import { uniqueSleep, untilProcesses } from "../../mcp_server/testing/processes.ts";
import { startServer } from "../../mcp_server/testing/server_process.ts";
import { V1_SDK } from "../../mcp_server/testing/v1_client.ts";
import { v2Sdk } from "../../mcp_server/testing/v2_client.ts";
import { ROOT } from "../../test_support/root.ts";
import { createHostileFolder } from "./testing/hostile_folder.ts";
import { startRegistry } from "./testing/local_registry.ts";
import { installServer, run } from "./testing/server_package.ts";

const FURTHER_TOOL =
  `import { buildResponse, type ToolModule, z } from "@trestle/mcp-server/toolkit";
const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Adds one.", { a: z.number() }, ({ a }) => buildResponse({ sum: a + 1 }));
};
export default register;`;

const EMBEDDING = `import { createApp, DEFAULT_CALLER, parseConfig } from "@trestle/mcp-server";
const app = await createApp(parseConfig([], { MCP_DATA_DIR: Deno.args[0] ?? "" }, 2));
console.log((await app.service.list(DEFAULT_CALLER)).length);
await app.close();`;

const VERSION = /^\d+\.\d+\.\d+\n$/;

/** Suites that start servers of their own, and so run against any program. */
const SUITES = [
  "tools/sql-query_arrays_test.ts",
  "tools/sql-query_sqlite_test.ts",
  "mcp_server/main_timeouts_test.ts",
  "mcp_server/run_as_test.ts",
  "mcp_server/script_folders_test.ts",
  "mcp_server/mcp/mcp_clients_stop_test.ts",
];

/** Their tests that start the program, and differ in what they need of it. */
const STARTS = [
  "over MCP has its rows",
  "on SQLite lets other tools answer",
  "a time-out beyond",
  "MCP_RUN_AS runs commands",
  "the next start removes",
  "the end of a call over stdio",
];

Deno.test("the tool server works from its packed npm package", async (t) => {
  await using installed = await installServer();
  const { program, folder: { path: at } } = installed;
  await Deno.mkdir(`${at}/own`);
  await Deno.writeTextFile(`${at}/own/add-one.ts`, FURTHER_TOOL);
  const env = { MCP_DATA_DIR: `${at}/data`, DATABASE_URL: "", PGHOST: "" };
  const tools = ["--tools", `${at}/own`];

  for (const [era, sdk] of Object.entries({ v1: V1_SDK, v2: v2Sdk("2026-07-28") })) {
    await t.step(
      `a client over stdio, ${era}, lists and calls the tools, also one of its own`,
      async () => {
        await using peer = await connectOverStdio(sdk, { program, args: tools, env });
        strictEqual((await peer.listTools()).tools.length, BUILT_IN_TOOLS.length + 1);
        const { structuredContent } = await peer.callTool("add-one", { a: 1 });
        deepStrictEqual(structuredContent, { sum: 2 });
      },
    );
  }

  await t.step("its worker processes find what they need", async () => {
    const ci = { tools: ["*"], paths: [`${at}/in/**`], databases: { main: "rw" } };
    await Deno.mkdir(`${at}/in`);
    const args = ["--callers", await writeCallers(at, { ci })];
    await using server = await startServer({ program, args, env });
    const output = async (tool: string, args: object) => {
      const { body } = await callApi(server.url, tool, args, { headers: bearerOf("ci") });
      return JSON.stringify(body);
    };
    const path = `${at}/in/file`;
    match(await output("write-file", { path, content: "a needle\n" }), /"bytesWritten":9/);
    match(await output("search-files", { path: `${at}/in`, pattern: "n.edle" }), /"line":1/);
    match(await output("read-file", { path: `${at}/data` }), /"code":"NOT_ALLOWED"/);
    match(await output("sql-query", { batches: [{ queries: ["SELECT 42 AS n"] }] }), /"n":42/);
    match(await output("java-script", { script: "console.log(6 * 7)" }), /"stdout":"42\\n"/);
    const job = { tool: "exec-command", args: { command: "echo done" } };
    match(await output("job-start", job), /"state":"(queued|running|succeeded)"/);
  });

  await t.step("no file of the folder that it is started in gets into it", async () => {
    await using hostile = await createHostileFolder();
    await using server = await startServer({ program, env, cwd: hostile.path });
    const response = await fetch(`${server.url}/api/tools`);
    strictEqual(response.status, 200, await response.clone().text());
    const { tools } = await response.json();
    strictEqual(tools.length, BUILT_IN_TOOLS.length);
    const output = async (tool: string, args: object) =>
      JSON.stringify((await callApi(server.url, tool, args)).body);
    match(await output("java-script", { script: "console.log(6 * 7)" }), /"stdout":"42\\n"/);
    match(await output("sql-query", { batches: [{ queries: ["SELECT 42 AS n"] }] }), /"n":42/);
    strictEqual(new URL(server.url).hostname, "127.0.0.1");
    deepStrictEqual(await hostile.entered(), []);
  });

  await t.step("arguments, exit codes and signals pass through", async () => {
    match(await run(program, ["--version"], at), VERSION);
    const refused = await new Deno.Command(program, { args: ["--prot"], stderr: "piped" }).output();
    strictEqual(refused.code, 2);
    match(new TextDecoder().decode(refused.stderr), /^Cannot read the flags: .*--prot/);
    const server = await startServer({ program, env });
    strictEqual(await server.stop("SIGTERM"), 0);
  });

  await t.step("after kill -9 of the program, no process and no script is left", async () => {
    const temp = `${at}/temp`;
    await Deno.mkdir(temp);
    const server = await startServer({ program, env: { ...env, TMPDIR: temp } });
    const sleep = uniqueSleep();
    const call = callApi(server.url, "bash-script", { script: `sleep ${sleep}` });
    const ended = call.catch(() => undefined);
    await untilProcesses(sleep, 1, 20_000);
    strictEqual((await Array.fromAsync(Deno.readDir(temp))).length, 1);
    server.process.kill("SIGKILL");
    await server.stop();
    await ended;
    await untilProcesses(sleep, 0, 20_000);
    await untilProcesses(`${at}/project/node_modules/@trestle/mcp-server/esm`, 0, 20_000);
    deepStrictEqual(await Array.fromAsync(Deno.readDir(temp)), []);
  });

  await t.step("a program for Deno imports the library", async () => {
    const folder = `${at}/project`;
    await Deno.writeTextFile(`${folder}/embed.ts`, EMBEDDING);
    const flags = ["run", "-A", "--node-modules-dir=manual", "--unstable-no-legacy-abort"];
    const count = await run(Deno.execPath(), [...flags, "embed.ts", `${at}/data`], folder);
    strictEqual(Number(count), BUILT_IN_TOOLS.length);
  });

  await t.step("npx starts it by its name, with nothing but Node and an empty cache", async () => {
    await using registry = await startRegistry(installed.built);
    const home = `${at}/home`;
    await Deno.mkdir(home);
    const env = { HOME: home, npm_config_cache: `${home}/npm`, npm_config_registry: registry.url };
    match(await run("npx", ["-y", "@trestle/mcp-server", "--version"], home, env), VERSION);
    match(await run("npx", ["-y", "@trestle/mcp-server", "--version"], home, env), VERSION);
  });

  await t.step(
    "the suites of tools, of users and secrets and of stopping pass with it",
    async () => {
      const args = ["test", "-A", "--no-check", "--quiet", `--filter=/${STARTS.join("|")}/`];
      const report = await run(Deno.execPath(), [...args, ...SUITES], ROOT, {
        TRESTLE_TEST_PROGRAM: program,
      });
      deepStrictEqual(STARTS.filter((name) => !report.includes(name)), [], report);
    },
  );
});
