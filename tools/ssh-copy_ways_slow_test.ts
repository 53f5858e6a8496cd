import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { CALL_WAYS } from "../mcp_server/testing/call_ways.ts";
import { bearerOf, writeCallers } from "../mcp_server/testing/callers_file.ts";
import { callApi } from "../mcp_server/testing/http_caller.ts";
import { startServer } from "../mcp_server/testing/server_process.ts";
import { createUser, requiresSshd, startSshd } from "../mcp_server/testing/sshd.ts";
import type { HostCopy } from "../mcp_server/toolkit.ts";
import { createTestUser, needsUsers } from "../mcp_server/testing/test_user.ts";

/** A host that only takes SFTP on some addresses, a user of it, and a folder of the server. */
async function startHost(config = "Subsystem sftp internal-sftp") {
  await using stack = new AsyncDisposableStack();
  const sshd = stack.use(await startSshd(config));
  const [home, local] = [`${sshd.folder}/user`, `${sshd.folder}/local`];
  for (const folder of [home, local]) await Deno.mkdir(folder);
  await Deno.chmod(home, 0o777);
  const { name: username } = stack.use(await createUser("/bin/sh", home));
  const callers = { ci: { tools: ["ssh-*"], hosts: ["127.0.0.*"], paths: [`${local}/**`] } };
  const owned = stack.move();
  return {
    ...{ sshd, home, local, username },
    callersFile: await writeCallers(sshd.folder, callers),
    to: (...addresses: number[]) =>
      addresses.map((address) => ({ host: `127.0.0.${address}:${sshd.port}`, username })),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

Deno.test({
  ...requiresSshd("ssh-copy copies up and down on every way of calling that has a result"),
  fn: async () => {
    await using host = await startHost();
    const { sshd, home, local, callersFile, to } = host;
    await using server = await startServer({
      args: ["--callers", callersFile],
      env: { HOME: sshd.home, MCP_DATA_DIR: `${sshd.folder}/data`, MCP_TASK_AFTER_MS: "600000" },
    });
    const ways = Object.entries(CALL_WAYS)
      .filter(([way]) => !way.startsWith("a task") && !way.startsWith("job-start"));
    for (const [way, send] of ways) {
      await Deno.writeTextFile(`${local}/up`, way);
      const connections = to(1);
      const ask = async (args: object) => {
        const call = { tool: "ssh-copy", args: { connections, ...args } };
        return (await send(server.url, call, bearerOf("ci"))).text;
      };
      match(await ask({ direction: "up", from: `${local}/up`, to: "there" }), /sha256/, way);
      strictEqual(await Deno.readTextFile(`${home}/there`), way);
      match(await ask({ direction: "down", from: "there", to: `${local}/back` }), /sha256/, way);
      strictEqual(await Deno.readTextFile(`${local}/back`), way);
      match(
        await ask({ direction: "down", from: "there", to: `${sshd.folder}/out` }),
        /not among the paths/,
      );
    }
    strictEqual(await Deno.stat(`${sshd.folder}/out`).catch(() => "none"), "none");
  },
});

Deno.test({
  ...requiresSshd("ssh-copy copies to many hosts, and beside one that has no SFTP"),
  fn: async () => {
    const config =
      "Subsystem sftp internal-sftp\nMatch LocalAddress 127.0.0.2\n  ForceCommand /bin/false";
    await using host = await startHost(config);
    const { sshd, home, local, to } = host;
    await using server = await startServer({ env: { HOME: sshd.home } });
    await Deno.writeTextFile(`${local}/a`, "a");
    const connections = to(2, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    const { body } = await callApi(server.url, "ssh-copy", {
      direction: "up",
      from: `${local}/a`,
      to: "copied",
      connections,
    });
    const results = body.results as HostCopy[];
    deepStrictEqual(results.map(({ host }) => host), connections.map(({ host }) => host));
    deepStrictEqual(results.map(({ error }) => error?.phase), [
      "copy",
      ...Array.from({ length: 11 }, () => undefined),
    ]);
    ok(results.slice(1).every(({ bytes }) => bytes === 1));
    deepStrictEqual([...Deno.readDirSync(home)].map(({ name }) => name), ["copied"]);
    const { body: down } = await callApi(server.url, "ssh-copy", {
      direction: "down",
      from: "copied",
      to: `${local}/from`,
      connections: to(1, 3),
    });
    strictEqual((down.results as HostCopy[]).length, 2);
    const names = [...Deno.readDirSync(`${local}/from`)].map(({ name }) => name).sort();
    deepStrictEqual(names, to(1, 3).map(({ host }) => host));
  },
});

const [name, { ignore }] = needsUsers(
  "ssh-copy reads and writes its local files as the runAs user",
);

Deno.test({
  ...requiresSshd(name),
  ...(ignore ? { ignore } : {}),
  fn: async () => {
    await using user = await createTestUser();
    await using host = await startHost();
    const { sshd, home, local, to } = host;
    await Deno.chown(local, user.uid, user.gid);
    await using server = await startServer({ env: { HOME: sshd.home, MCP_RUN_AS: user.name } });
    const copy = async (args: object) =>
      (await callApi(server.url, "ssh-copy", { connections: to(1), ...args })).body;
    await Deno.writeTextFile(`${local}/secret`, "root's", { mode: 0o600 });
    const refused = await copy({ direction: "up", from: `${local}/secret`, to: "secret" });
    match(JSON.stringify(refused), /ACCESS_DENIED|no permission/);
    deepStrictEqual([...Deno.readDirSync(home)], []);
    await Deno.writeTextFile(`${home}/far`, "far");
    await Deno.chmod(`${home}/far`, 0o644);
    const done = await copy({ direction: "down", from: "far", to: `${local}/near` });
    match(JSON.stringify(done), /sha256/);
    strictEqual((await Deno.stat(`${local}/near`)).uid, user.uid);
    const closed = await copy({ direction: "down", from: "far", to: `${sshd.folder}/near` });
    match(JSON.stringify(closed), /can't create files in its folder/);
    strictEqual(await Deno.stat(`${sshd.folder}/near`).catch(() => "none"), "none");
  },
});
