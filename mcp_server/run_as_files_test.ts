import { deepStrictEqual, match, notStrictEqual, strictEqual } from "node:assert/strict";
import { createTempFolder, type TempFolder } from "../test_support/temp_folder.ts";
import { type Answer, callApi } from "./testing/http_caller.ts";
import { processesWith } from "./testing/processes.ts";
import { type ServerProcess, startServer } from "./testing/server_process.ts";
import { createTestUser, FURTHER_GROUP, needsUsers, type TestUser } from "./testing/test_user.ts";

interface Scene extends AsyncDisposable {
  readonly user: TestUser;
  readonly server: ServerProcess;
  /** A folder of root that all may enter. */
  readonly folder: TempFolder;
  read(path: string): Promise<Answer>;
  write(path: string, content: string, more?: object): Promise<Answer>;
}

async function createScene(options: { permissions?: string[] } = {}): Promise<Scene> {
  await using parts = new AsyncDisposableStack();
  const user = parts.use(await createTestUser());
  const folder = parts.use(await createTempFolder());
  const env = { MCP_RUN_AS: user.name };
  const server = parts.use(await startServer({ env, ...options }));
  const { move } = { move: parts.move() };
  return {
    ...{ user, server, folder },
    read: (path) => callApi(server.url, "read-file", { path }),
    write: (path, content, more = {}) =>
      callApi(server.url, "write-file", { path, content, ...more }),
    [Symbol.asyncDispose]: () => move.disposeAsync(),
  };
}

Deno.test(...needsUsers("MCP_RUN_AS reads and writes files as that user"), async (t) => {
  await using scene = await createScene();
  const { user, folder, read, write } = scene;
  const { home, uid, gid } = user;
  const refused = ({ status, body }: Answer) => [status, body.code];

  await t.step("owns what it creates, the folders above included", async () => {
    const path = `${home}/a/b/file`;
    const created = await write("~/a/b/file", "new", { createParents: true });
    deepStrictEqual(created.body, { path, bytesWritten: 3 });
    for (const made of [`${home}/a`, `${home}/a/b`, path]) {
      const stat = await Deno.stat(made);
      deepStrictEqual([stat.uid, stat.gid], [uid, gid], made);
    }
    strictEqual(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o666 & ~Deno.umask());
    strictEqual((await read(path)).body.content, "new");
  });

  await t.step("keeps the mode of a file that it replaces, in pieces of any size", async () => {
    const path = `${home}/large`;
    await Deno.writeTextFile(path, "old", { mode: 0o640 });
    await Deno.chown(path, uid, gid);
    const content = "é".repeat(1_200_000);
    deepStrictEqual((await write(path, content)).body, { path, bytesWritten: 2_400_000 });
    strictEqual((await read(path)).body.content, content);
    strictEqual(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o640);
  });

  await t.step("edits as that user, who stays the owner", async () => {
    const path = `${home}/edited`;
    await write(path, "old");
    const edit = (path: string) => {
      return callApi(scene.server.url, "edit-file", { path, edits: [{ old: "old", new: "new" }] });
    };
    strictEqual((await edit(path)).body.edits, 1);
    deepStrictEqual([(await Deno.stat(path)).uid, (await read(path)).body.content], [uid, "new"]);
    const foreign = `${folder.path}/foreign`;
    await Deno.writeTextFile(foreign, "old", { mode: 0o644 });
    deepStrictEqual(refused(await edit(foreign)), [422, "ACCESS_DENIED"]);
    strictEqual(await Deno.readTextFile(foreign), "old");
    await Deno.remove(foreign);
  });

  await t.step("searches and lists what that user may read", async () => {
    const call = (tool: string, args: object) => callApi(scene.server.url, tool, args);
    for (const [name, mode] of [["open", 0o644], ["closed", 0o600]] as const) {
      await Deno.writeTextFile(`${folder.path}/${name}`, "needle", { mode });
    }
    const { body } = await call("search-files", { path: folder.path, pattern: "needle" });
    deepStrictEqual(body, { matches: [{ path: "open", line: 1, text: "needle" }], files: 1 });
    const closed = { path: `${folder.path}/closed`, pattern: "needle" };
    deepStrictEqual(refused(await call("search-files", closed)), [422, "ACCESS_DENIED"]);
    deepStrictEqual(refused(await call("list-files", { path: "/root" })), [422, "ACCESS_DENIED"]);
    const { entries } = (await call("list-files", { path: folder.path })).body;
    const listed = Array.isArray(entries) ? entries.map(({ path }) => path) : [];
    deepStrictEqual(listed, ["closed", "open"]);
    for (const name of ["open", "closed"]) await Deno.remove(`${folder.path}/${name}`);
  });

  await t.step("is refused what the user may not do, by the system", async () => {
    await Deno.writeTextFile(`${folder.path}/secret`, "root's", { mode: 0o600 });
    await Deno.writeTextFile(`${folder.path}/public`, "root's", { mode: 0o644 });
    const denied = [422, "ACCESS_DENIED"];
    deepStrictEqual(refused(await read("/etc/shadow")), denied);
    deepStrictEqual(refused(await read(`${folder.path}/secret`)), denied);
    deepStrictEqual(refused(await write(`${folder.path}/public`, "x")), denied);
    deepStrictEqual(refused(await write(`${folder.path}/new`, "x")), denied);
    deepStrictEqual(refused(await write(`${home}/x`, "x", { owner: "root" })), [
      422,
      "OWNER_REFUSED",
    ]);
    const { detail } = (await read("/etc/shadow")).body;
    strictEqual(
      detail,
      `Cannot read "/etc/shadow": the user "${user.name}" has no permission for it`,
    );
  });

  await t.step("reads what a further group of the user may read", async () => {
    const path = `${folder.path}/of-group`;
    await Deno.writeTextFile(path, "group's", { mode: 0o640 });
    await new Deno.Command("chgrp", { args: [FURTHER_GROUP, path] }).output();
    strictEqual((await read(path)).body.content, "group's");
  });

  await t.step("goes on after the user has ended the process that works on the files", async () => {
    const [pid = 0] = await processesWith("file_process_main.ts");
    notStrictEqual(pid, 0);
    const command = `kill -KILL ${pid}; cat /proc/${pid}/environ`;
    const { body } = await callApi(scene.server.url, "exec-command", { commands: [{ command }] });
    match(JSON.stringify(body), /environ: (Permission denied|No such file)/);
    const first = await read("/etc/hostname");
    const { status } = first.status === 200 ? first : await read("/etc/hostname");
    strictEqual(status, 200);
  });
});

Deno.test(
  ...needsUsers("MCP_RUN_AS never writes through a link of the user to a file of root"),
  async () => {
    await using scene = await createScene();
    const { user: { home, uid, gid }, folder, server, write } = scene;
    const target = `${folder.path}/of-root`;
    await Deno.writeTextFile(target, "root's", { mode: 0o644 });
    const script = `cd ${home}; touch own; chmod 600 own; while :; do
    ln -sfn ${target} link; ln -sfn ${folder.path} dir; ln -sfn own link; ln -sfn ${home} dir
  done`;
    const swapping = new AbortController();
    const swap = callApi(server.url, "bash-script", { script, timeoutMs: 60_000 }, {
      signal: swapping.signal,
    }).catch(() => {});
    const writes = Array.from({ length: 100 }, (_, at) => {
      return write(`${home}/${at % 2 === 0 ? "link" : "dir/new"}`, "user's");
    });
    const statuses = new Set((await Promise.all(writes)).map(({ status }) => status));
    swapping.abort();
    await swap;
    strictEqual(await Deno.readTextFile(target), "root's");
    deepStrictEqual([...Deno.readDirSync(folder.path)].map(({ name }) => name), ["of-root"]);
    strictEqual(statuses.has(200), true, "some of the writes meet the user's own file");
    const stat = await Deno.stat(`${home}/own`);
    deepStrictEqual([stat.uid, stat.gid], [uid, gid]);
  },
);

Deno.test(...needsUsers("MCP_RUN_AS works with the permissions of `deno task start`"), async () => {
  const manifest = JSON.parse(await Deno.readTextFile(new URL("../deno.json", import.meta.url)));
  const start: string = manifest.tasks.start.command;
  const permissions = start.split(" ").filter((word) => word.startsWith("--allow-"));
  await using scene = await createScene({ permissions });
  const { user: { name, home }, read, write, server } = scene;
  strictEqual((await write(`${home}/file`, "x")).status, 200);
  deepStrictEqual((await read(`${home}/file`)).body, { content: "x", size: 1 });
  strictEqual((await read("/etc/shadow")).body.code, "ACCESS_DENIED");
  const { body } = await callApi(server.url, "bash-script", { script: "id -un" });
  strictEqual(body.stdout, `${name}\n`);
});
