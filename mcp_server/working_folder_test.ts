import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { callApi } from "./testing/http_caller.ts";
import { startServer } from "./testing/server_process.ts";

const REMOVED = /the server's working folder was removed; use an absolute /;
/** The config of OpenSSH's client is read before the package is loaded. */
const NOT_ASKED =
  /Cannot run [^:]*: the server's working folder was removed; .*start the server again/;
const NOT_LOADED =
  /Cannot load [^:]*: the server's working folder was removed; start the server again/;

Deno.test("a server whose working folder is removed says so, and takes absolute paths", async (t) => {
  await using folder = await createTempFolder();
  const cwd = `${folder.path}/cwd`;
  await Deno.mkdir(cwd);
  await using server = await startServer({
    cwd,
    env: { MCP_DATA_DIR: `${folder.path}/data`, MCP_DATABASE_PG: "postgres://127.0.0.1:1/a" },
  });
  await Deno.remove(cwd);
  const refused: [tool: string, args: object, code: string][] = [
    ["read-file", { path: "file" }, "NO_FOLDER"],
    ["write-file", { path: "file", content: "" }, "NO_FOLDER"],
    ["write-file", { path: "a/b", content: "", createParents: true }, "NO_FOLDER"],
    ["exec-command", { commands: [{ command: "pwd" }] }, "CWD_NOT_FOUND"],
    ["exec-command", { commands: [{ command: "pwd", cwd: "sub" }] }, "CWD_NOT_FOUND"],
    ["bash-script", { script: "pwd" }, "CWD_NOT_FOUND"],
    ["python-script", { script: "print(1)" }, "CWD_NOT_FOUND"],
  ];
  for (const [tool, args, code] of refused) {
    await t.step(`${tool} ${JSON.stringify(args)}`, async () => {
      const { status, body } = await callApi(server.url, tool, args);
      deepStrictEqual([status, body.code], [422, code], JSON.stringify(body));
      match(String(body.detail), REMOVED);
    });
  }
  const path = `${folder.path}/file`;
  const served: [tool: string, args: object][] = [
    ["write-file", { path, content: "text" }],
    ["read-file", { path }],
    ["bash-script", { script: "pwd", cwd: folder.path }],
    ["sql-query", { batches: [{ queries: ["SELECT 1 AS a"] }] }],
  ];
  for (const [tool, args] of served) {
    await t.step(`${tool} with an absolute path`, async () => {
      const { status, body } = await callApi(server.url, tool, args);
      strictEqual(status, 200, JSON.stringify(body));
      if (tool === "sql-query") match(JSON.stringify(body), /"rows":\[\{"a":1\}\]/);
    });
  }
  const ssh = { host: "127.0.0.1:1", username: "root", commands: ["id"] };
  const reported: [tool: string, args: object, text: RegExp][] = [
    ["sql-query", { batches: [{ database: "PG", queries: ["SELECT 1"] }] }, NOT_LOADED],
    ["ssh-exec", { connections: [ssh] }, NOT_ASKED],
  ];
  for (const [tool, args, text] of reported) {
    await t.step(`${tool}, whose package is not loaded yet`, async () => {
      const { body } = await callApi(server.url, tool, args);
      match(JSON.stringify(body), text);
    });
  }
});
