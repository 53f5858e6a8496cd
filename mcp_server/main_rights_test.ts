import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { CALL_WAYS } from "./testing/call_ways.ts";
import { bearerOf, writeCallers } from "./testing/callers_file.ts";
import { callApi } from "./testing/http_caller.ts";
import { createTestUser, needsUsers } from "./testing/test_user.ts";
import { startServer } from "./testing/server_process.ts";

/** Those of `deno task start`, with which Deno opens no path below `/proc`. */
const PERMISSIONS = ["read", "write", "run", "env", "net", "sys"].map((name) => `--allow-${name}`);

const REFUSED = /among the (paths|hosts|databases) of the caller "ci" \(.+?\)/;

/** The id of a job in the answer of job-start, as JSON or as JSON in a text. */
const JOB_ID = /"id\\?":\\?"([0-9a-f-]{36})/;

async function resultOf(url: string, id: string): Promise<string> {
  return await (await fetch(`${url}/api/jobs/${id}`, { headers: bearerOf("ci") })).text();
}

function isThere(path: string): Promise<boolean> {
  return Deno.stat(path).then(() => true, () => false);
}

Deno.test("a server with the permissions of its task bounds a caller on every way of calling", async () => {
  await using folder = await createTempFolder();
  const at = folder.path;
  for (const name of ["srv", "etc", "data"]) await Deno.mkdir(`${at}/${name}`);
  await Deno.writeTextFile(`${at}/etc/f`, "classified");
  await Deno.symlink("../etc", `${at}/srv/out`);
  const ci = { tools: ["*"], paths: [`${at}/srv/**`], databases: { main: "rw" } };
  await using server = await startServer({
    permissions: PERMISSIONS,
    args: ["--callers", await writeCallers(at, { ci })],
    // However busy the machine is, a call over MCP does not become a task, whose output comes later.
    env: { MCP_DATA_DIR: `${at}/data`, MCP_TASK_AFTER_MS: "600000" },
  });
  const inside: [tool: string, args: object, answer: string][] = [
    ["write-file", { path: `${at}/srv/new/f`, content: "in", createParents: true }, "bytesWritten"],
    ["read-file", { path: `${at}/srv/new/../new/f` }, '"in'],
    ["edit-file", { path: `${at}/srv/new/f`, edits: [{ old: "in", new: "inner" }] }, "+inner"],
    ["search-files", { path: `${at}/srv`, pattern: "in+er" }, '"text":"inner"'],
    ["list-files", { path: `${at}/srv`, depth: 2 }, '"path":"new/f"'],
    [
      "exec-command",
      { commands: [{ command: "pwd -P", cwd: `${at}/srv/new` }] },
      `${at}/srv/new\\n`,
    ],
    ["sql-query", { batches: [{ queries: ["SELECT 6 * 7 AS n"] }] }, "42"],
    ["sql-schema", {}, '"dialect":"sqlite"'],
  ];
  const touch = { command: "touch ran" };
  const outside: [tool: string, args: object][] = [
    ["read-file", { path: `${at}/srv/out/f` }],
    ["read-file", { path: `${at}/etc/missing` }],
    ["write-file", { path: `${at}/etc/new/f`, content: "in", createParents: true }],
    ["edit-file", { path: `${at}/srv/out/f`, edits: [{ old: "class", new: "public" }] }],
    ["edit-file", { path: `${at}/etc/missing`, edits: [{ old: "a", new: "b" }] }],
    ["search-files", { path: at, pattern: "e" }],
    ["search-files", { path: `${at}/srv/out`, pattern: "e" }],
    ["list-files", { path: `${at}/srv/out` }],
    ["list-files", { path: `${at}/missing` }],
    ["exec-command", { commands: [touch, { ...touch, cwd: `${at}/srv/out` }] }],
    ["bash-script", { script: "touch ran", cwd: `${at}/etc` }],
    ["sql-query", { batches: [{ database: "other", queries: ["SELECT 42"] }] }],
    ["sql-schema", { database: "other" }],
    ["ssh-exec", { connections: [{ host: "localhost", commands: ["true"] }] }],
    ["ssh-copy", {
      direction: "up",
      from: `${at}/srv/new/f`,
      to: "f",
      connections: [{ host: "h" }],
    }],
    ["ssh-copy", { direction: "up", from: `${at}/etc/f`, to: "f", connections: [{ host: "h" }] }],
    ["ssh-copy", {
      direction: "down",
      from: "f",
      to: `${at}/srv/out/f`,
      connections: [{ host: "h" }],
    }],
  ];
  for (const [way, send] of Object.entries(CALL_WAYS)) {
    const ask = async (tool: string, args: object) => {
      const answer = await send(server.url, { tool, args }, bearerOf("ci"));
      const [, id] = way.startsWith("job-start") && JOB_ID.exec(answer.text) || [];
      const text = id === undefined ? answer.text : await resultOf(server.url, id);
      return text.replaceAll(/\\+"/g, '"').replaceAll(/\\+n/g, "\\n");
    };
    // Clients of that revision make tasks of the tools alone that offer it.
    const isMade = ([tool]: readonly [string, ...unknown[]]) =>
      !way.startsWith("a task") || ["exec-command", "bash-script"].includes(tool);
    for (const [tool, args, answer] of inside.filter(isMade)) {
      const text = await ask(tool, args);
      deepStrictEqual(
        [text.includes(answer), REFUSED.test(text)],
        [true, false],
        `${way} ${tool}: ${text}`,
      );
    }
    for (const [tool, args] of outside.filter(isMade)) {
      const text = await ask(tool, args);
      deepStrictEqual(
        [REFUSED.test(text), /classified/.test(text)],
        [true, false],
        `${way} ${tool}: ${text}`,
      );
    }
  }
  strictEqual(await isThere("ran"), false);
  deepStrictEqual([...Deno.readDirSync(`${at}/etc`)].map(({ name }) => name), ["f"]);
  strictEqual(await Deno.readTextFile(`${at}/etc/f`), "classified");
});

Deno.test(
  ...needsUsers("paths of a caller hold for its runAs user, who has to be allowed too"),
  async () => {
    await using user = await createTestUser();
    await using folder = await createTempFolder();
    const at = folder.path;
    for (const name of ["srv", "srv/open", "srv/closed", "etc"]) {
      await Deno.mkdir(`${at}/${name}`);
      await Deno.chown(`${at}/${name}`, user.uid, user.gid);
    }
    await Deno.chown(`${at}/srv/closed`, 0, 0);
    await Deno.chmod(`${at}/srv/closed`, 0o700);
    await Deno.symlink("../etc", `${at}/srv/out`);
    const ci = { tools: ["*"], paths: [`${at}/srv/**`], runAs: user.name };
    await using server = await startServer({ args: ["--callers", await writeCallers(at, { ci })] });
    const call = async (tool: string, args: object) => {
      const { body } = await callApi(server.url, tool, args, { headers: bearerOf("ci") });
      return body;
    };
    const path = `${at}/srv/open/new/f`;
    await call("write-file", { path, content: "inside", createParents: true });
    strictEqual((await Deno.stat(path)).uid, user.uid);
    await call("edit-file", { path, edits: [{ old: "side", new: "ner" }] });
    strictEqual((await Deno.stat(path)).uid, user.uid);
    deepStrictEqual(await call("read-file", { path }), { content: "inner", size: 5 });
    const env = { A: "1" };
    const commands = [{ command: "pwd -P; id -un; echo $A", cwd: `${at}/srv/open/new`, env }];
    const { results } = await call("exec-command", { commands });
    match(JSON.stringify(results), new RegExp(`"${at}/srv/open/new\\\\n${user.name}\\\\n1\\\\n"`));
    for (const cwd of [`${at}/etc`, `${at}/srv/out`, "/"]) {
      const refused = await call("exec-command", { commands: [{ command: "touch ran", cwd }] });
      strictEqual(refused.code, "NOT_ALLOWED", cwd);
    }
    const closed = await call("exec-command", {
      commands: [{ command: "id", cwd: `${at}/srv/closed` }],
    });
    strictEqual(closed.code, "ACCESS_DENIED");
    strictEqual((await call("read-file", { path: `${at}/srv/out/f` })).code, "NOT_ALLOWED");
    deepStrictEqual([...Deno.readDirSync(`${at}/etc`)], []);
  },
);
