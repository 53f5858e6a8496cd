import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { bearerOf, writeCallers } from "./testing/callers_file.ts";
import { callApi } from "./testing/http_caller.ts";
import { createTestUser, needsUsers } from "./testing/test_user.ts";
import { startServer } from "./testing/server_process.ts";

/** Those of `deno task start`, with which Deno opens no path below `/proc`. */
const PERMISSIONS = ["read", "write", "run", "env", "net", "sys"].map((name) => `--allow-${name}`);

interface Outcome {
  readonly result?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
}

Deno.test("a server with the permissions of its task bounds calls and jobs to the paths of a caller", async () => {
  await using folder = await createTempFolder();
  const at = folder.path;
  for (const name of ["srv", "etc", "data"]) await Deno.mkdir(`${at}/${name}`);
  await Deno.writeTextFile(`${at}/etc/f`, "secret");
  await Deno.symlink("../etc", `${at}/srv/out`);
  const ci = { tools: ["*"], paths: [`${at}/srv/**`], databases: { main: "rw" } };
  await using server = await startServer({
    permissions: PERMISSIONS,
    args: ["--callers", await writeCallers(at, { ci })],
    env: { MCP_DATA_DIR: `${at}/data` },
  });
  const headers = bearerOf("ci");
  const call = async (tool: string, args: object): Promise<Outcome> => {
    const { status, body } = await callApi(server.url, tool, args, { headers });
    return status === 200 ? { result: body } : { code: body.code, message: body.detail };
  };
  const job = async (tool: string, args: object): Promise<Outcome> => {
    const init = { headers: { ...headers, prefer: "respond-async" } };
    let { body } = await callApi(server.url, tool, args, init);
    while (["queued", "running"].includes(String(body.state))) {
      const known = { ...headers, "if-none-match": `"${body.state}-0-0"` };
      const signal = AbortSignal.timeout(60_000);
      const url = `${server.url}/api/jobs/${body.id}?wait=30`;
      const answer = await fetch(url, { headers: known, signal });
      if (answer.status === 200) body = await answer.json();
    }
    return body.error ?? { result: body.result };
  };
  const pwd = (cwd: string) => ({ commands: [{ command: "pwd -P; touch ran", cwd }] });
  for (const use of [call, job]) {
    const file = { path: `${at}/srv/new/f`, content: "inside", createParents: true };
    deepStrictEqual(await use("write-file", file), { result: { bytesWritten: 6 } });
    const read = await use("read-file", { path: `${at}/srv/new/../new/f` });
    deepStrictEqual(read, { result: { content: "inside" } });
    const { result } = await use("exec-command", pwd(`${at}/srv/new`));
    match(JSON.stringify(result), new RegExp(`"stdout":"${at}/srv/new\\\\n"`));
    const refused = [
      await use("read-file", { path: `${at}/srv/out/f` }),
      await use("write-file", { ...file, path: `${at}/etc/new/f` }),
      await use("exec-command", pwd(`${at}/srv/out`)),
      await use("bash-script", { script: "touch ran", cwd: `${at}/etc` }),
      await use("sql-query", { batches: [{ database: "other", queries: ["SELECT 1"] }] }),
      await use("ssh-exec", { connections: [{ host: "localhost", commands: ["true"] }] }),
    ];
    for (const { code, message } of refused) {
      strictEqual(code, "NOT_ALLOWED", String(message));
      match(String(message), /among the (paths|hosts|databases) of the caller "ci" \(.+\)$/);
    }
  }
  deepStrictEqual([...Deno.readDirSync(`${at}/etc`)].map(({ name }) => name), ["f"]);
  strictEqual(await Deno.readTextFile(`${at}/etc/f`), "secret");
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
    deepStrictEqual(await call("read-file", { path }), { content: "inside" });
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
