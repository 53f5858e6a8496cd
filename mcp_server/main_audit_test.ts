import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { codeBlocks } from "../test_support/markdown.ts";
import { requires } from "../test_support/services.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { callApi } from "./testing/http_caller.ts";
import { needsRoot } from "./testing/needs_root.ts";
import { type ServerProcess, startServer } from "./testing/server_process.ts";

async function run(program: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args }).output();
  ok(success, new TextDecoder().decode(stderr));
}

async function call({ url }: ServerProcess): Promise<void> {
  const { status } = await callApi(url, "read-file", { path: "/etc/hostname" });
  strictEqual(status, 200);
}

/** Counts the calls whose end is in the lines of files; throws if a line is not JSON. */
function endedIn(...paths: string[]): number {
  const lines = paths.flatMap((path) => Deno.readTextFileSync(path).split("\n"));
  const records = lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  return records.filter(({ audit }) => audit === "end").length;
}

async function idOf(option: "-un" | "-gn"): Promise<string> {
  const { stdout } = await new Deno.Command("id", { args: [option] }).output();
  return new TextDecoder().decode(stdout).trim();
}

/** The rule for logrotate that the docs have. */
async function shownRule(): Promise<string> {
  const page = await Deno.readTextFile(new URL("./docs/deploy.md", import.meta.url));
  return codeBlocks(page).find(({ language }) => language === "logrotate")?.code ?? "";
}

Deno.test({
  ...requires(
    "logrotate",
    "main reopens its audit on SIGHUP, as logrotate sends by the rule of the docs",
  ),
  async fn() {
    await using folder = await createTempFolder();
    const [path, config] = [`${folder.path}/audit.jsonl`, `${folder.path}/logrotate.conf`];
    await using server = await startServer({ env: { MCP_AUDIT_FILE: path } });
    const rule = (await shownRule()).replace("/var/log/trestle/audit.jsonl", path)
      .replace("su trestle trestle", `su ${await idOf("-un")} ${await idOf("-gn")}`)
      .replace("systemctl reload trestle-mcp", `kill -HUP ${server.pid}`);
    await Deno.writeTextFile(config, rule, { mode: 0o644 });
    for (let turn = 0; turn < 2; turn++) {
      await call(server);
      await untilEnded(path, 1);
      await run("/usr/sbin/logrotate", "--force", "--state", `${folder.path}/state`, config);
      await server.logged(new RegExp(`(audit file reopened[^]*){${turn + 1}}`));
    }
    await call(server);
    strictEqual(await server.stop(), 0);
    await run("gunzip", `${path}.2.gz`);
    deepStrictEqual([endedIn(`${path}.2`), endedIn(`${path}.1`), endedIn(path)], [1, 1, 1]);
    strictEqual((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
  },
});

Deno.test({
  ...requires("logrotate", "main needs no signal from a logrotate that copies and truncates"),
  async fn() {
    await using folder = await createTempFolder();
    const [path, config] = [`${folder.path}/audit.jsonl`, `${folder.path}/logrotate.conf`];
    await using server = await startServer({ env: { MCP_AUDIT_FILE: path } });
    await Deno.writeTextFile(config, `${path} {\n  rotate 3\n  copytruncate\n}\n`, { mode: 0o644 });
    await call(server);
    await untilEnded(path, 1);
    await run("/usr/sbin/logrotate", "--force", "--state", `${folder.path}/state`, config);
    await call(server);
    strictEqual(await server.stop(), 0);
    deepStrictEqual([endedIn(`${path}.1`), endedIn(path)], [1, 1]);
  },
});

async function untilEnded(path: string, calls: number): Promise<void> {
  const latest = performance.now() + 30_000;
  while (endedIn(path) < calls) {
    ok(performance.now() < latest, `${path} does not report ${calls} calls`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

Deno.test("main is not stopped by SIGHUP without an audit file", async () => {
  await using server = await startServer();
  for (let count = 0; count < 3; count++) server.process.kill("SIGHUP");
  await call(server);
});

Deno.test("main immediately rejects an audit file that is a FIFO without a reader", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/fifo`;
  await run("mkfifo", path);
  const starting = startServer({ env: { MCP_AUDIT_FILE: path } });
  const { message } = await starting.then(() => new Error("it serves"), (error: Error) => error);
  match(
    message,
    /: Cannot use MCP_AUDIT_FILE "\S+fifo": Cannot append to a FIFO that nobody reads: /,
  );
});

Deno.test(
  ...needsRoot("main does not change the mode of a device that takes its audit"),
  async () => {
    await using folder = await createTempFolder();
    const path = `${folder.path}/null`;
    await run("mknod", "-m", "666", path, "c", "1", "3");
    await using server = await startServer({ env: { MCP_AUDIT_FILE: path } });
    await call(server);
    strictEqual((Deno.statSync(path).mode ?? 0) & 0o777, 0o666);
  },
);

Deno.test("main answers calls while nobody reads the pipe of its audit, and stops", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/fifo`;
  await run("mkfifo", path);
  using _reader = await Deno.open(path, { read: true, write: true });
  await using server = await startServer({ env: { MCP_AUDIT_FILE: path } });
  for (let count = 0; count < 10; count++) {
    await Promise.all(Array.from({ length: 50 }, () => call(server)));
  }
  strictEqual(await server.stop(), 0);
  match(server.stderr(), /the audit file accepts no lines; they follow here/);
});
