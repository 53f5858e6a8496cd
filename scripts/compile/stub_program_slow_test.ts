import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { BUILT_IN_TOOLS } from "../../mcp_server/testing/built_in_tools.ts";
import { callApi } from "../../mcp_server/testing/http_caller.ts";
import { processesWith } from "../../mcp_server/testing/processes.ts";
import { startPostgres } from "../../mcp_server/testing/postgres.ts";
import { type ServerProcess, startServer } from "../../mcp_server/testing/server_process.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { createCompiledServer } from "./testing/compiled_server.ts";
import { createStubProgram } from "./testing/stub_program.ts";

const FURTHER_TOOL = `import { buildResponse, z } from "@trestle/mcp-server/toolkit";
export default ({ mcpServer, toolName }) =>
  mcpServer.tool(toolName, "Adds one.", { a: z.number() }, ({ a }) => buildResponse({ sum: a + 1 }));`;

Deno.test("a compiled server works with its embedded files like one that runs as a script", async (t) => {
  await using compiled = await createCompiledServer();
  await using temp = await createTempFolder();
  const folder = temp.path;
  const { path: program, env } = await createStubProgram(compiled.tree, folder);
  await Deno.mkdir(`${folder}/further`);
  await Deno.writeTextFile(`${folder}/further/add-one.ts`, FURTHER_TOOL);
  await using server = await startServer({
    program,
    args: ["--tools", `${folder}/further`, "--data-dir", `${folder}/data`],
    env: {
      ...env,
      DATABASE_URL: "",
      PGHOST: "",
      MCP_DATABASE_FAR: "postgres://u@127.0.0.1:9/far",
      MCP_JS_RUNTIME: "",
      PATH: "/nowhere:/bin:/usr/bin",
    },
  });

  await t.step("it serves the built-in tools and those of a folder on disk", async () => {
    const { tools } = await (await fetch(`${server.url}/api/tools`)).json();
    strictEqual(tools.length, BUILT_IN_TOOLS.length + 1);
    deepStrictEqual(await answerOf(server, "add-one", { a: 1 }), { sum: 2 });
  });

  await t.step("it starts itself for an SQLite file", async () => {
    const queries = ["CREATE TABLE t (a)", "INSERT INTO t VALUES (7)", "SELECT a FROM t"];
    const { results } = await answerOf(server, "sql-query", { batches: [{ queries }] });
    match(JSON.stringify(results), /"rows":\[\{"a":7\}\]/);
    const own = `${folder}/app/mcp_server/main.ts\0--worker\0../toolkit/sql/sqlite_worker.ts`;
    strictEqual((await processesWith(own)).length, 1);
  });

  await t.step("it has the packages for PostgreSQL and SSH", async () => {
    const far = { database: "far", queries: ["SELECT 1"] };
    const sql = await answerOf(server, "sql-query", { batches: [far] });
    match(JSON.stringify(sql), /"code":"ECONNREFUSED"/);
    const host = { host: "127.0.0.1:9", username: "a", commands: ["true"] };
    const ssh = await answerOf(server, "ssh-exec", { connections: [host] });
    match(JSON.stringify(ssh), /"phase":"connect"/);
  });

  await t.step("it writes, edits, searches and reads files, in threads", async () => {
    const path = `${folder}/written`;
    deepStrictEqual(await answerOf(server, "write-file", { path, content: "text" }), {
      path,
      bytesWritten: 4,
    });
    const { diff } = await answerOf(server, "edit-file", {
      path,
      edits: [{ old: "text", new: "new" }],
    });
    match(String(diff), /^-text$/m);
    const { matches } = await answerOf(server, "search-files", { path, pattern: "^n.w$" });
    deepStrictEqual(matches, [{ path: "written", line: 1, text: "new" }]);
    deepStrictEqual(await answerOf(server, "read-file", { path }), { content: "new", size: 3 });
  });

  await t.step("it runs commands, and stops the processes that they start", async () => {
    const commands = [{ command: "echo hello" }, { command: "sleep 300" }];
    const { results } = await answerOf(server, "exec-command", { commands, timeoutMs: 3_000 });
    match(JSON.stringify(results), /"stdout":"hello\\n".*"timedOut":true/);
  });

  await t.step("it has the packages to share its jobs", async () => {
    await using postgres = await startPostgres();
    await using server = await startServer({
      program,
      env: { ...env, MCP_JOBS_URL: postgres.url(), MCP_NAME: "compiled" },
    });
    const { servers } = await (await fetch(`${server.url}/api/servers`)).json();
    deepStrictEqual(servers.map(({ name }: { name: string }) => name), ["compiled"]);
    const { body } = await callApi(server.url, "job-start", {
      tool: "exec-command",
      args: { commands: [{ command: "echo on" }] },
    });
    const ended = await callApi(server.url, "job-wait", {
      id: Reflect.get(Object(body.job), "id"),
    });
    match(JSON.stringify(ended.body), /"state":"completed"/);
  });

  await t.step("it is not a runtime for java-script, which needs one on PATH", async () => {
    await using server = await startServer({
      program,
      env: { ...env, MCP_JS_RUNTIME: "", PATH: "/nowhere" },
    });
    const { status, body } = await callApi(server.url, "java-script", { script: "1" });
    deepStrictEqual([status, body.code], [422, "INTERPRETER_MISSING"], JSON.stringify(body));
  });

  await t.step("it calls itself by the name of its file", async () => {
    const { stdout } = await new Deno.Command(program, { args: ["--help"], env }).output();
    match(new TextDecoder().decode(stdout), /^Usage: trestle-mcp \[flags\]$/m);
  });
});

async function answerOf(server: ServerProcess, tool: string, args: object) {
  const { status, body } = await callApi(server.url, tool, args);
  strictEqual(status, 200, JSON.stringify(body));
  return body;
}
