import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { callApi } from "./testing/http_caller.ts";
import { startServer } from "./testing/server_process.ts";

const REMOVED = /the server's working folder was removed; use an absolute /;

Deno.test("a server whose working folder is removed says so, and takes absolute paths", async (t) => {
  await using folder = await createTempFolder();
  const cwd = `${folder.path}/cwd`;
  await Deno.mkdir(cwd);
  await using server = await startServer({ cwd });
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
  ];
  for (const [tool, args] of served) {
    await t.step(`${tool} with an absolute path`, async () => {
      const { status, body } = await callApi(server.url, tool, args);
      strictEqual(status, 200, JSON.stringify(body));
    });
  }
});
