import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { childrenOf } from "../../testing/processes.ts";
import { SQLITE_WORKER, SqliteSession, sqliteWorkerEnv } from "./sqlite_session.ts";

const ENV: Readonly<Record<string, string>> = { HOME: "/home/a", MCP_TOKEN: "secret" };

Deno.test("the process of an SQLite file has file permissions only, and no secrets", () => {
  const allowed = SQLITE_WORKER.flags.filter((flag) => flag.startsWith("--allow"));
  deepStrictEqual(allowed, ["--allow-read", "--allow-write"]);
  deepStrictEqual(sqliteWorkerEnv((name) => ENV[name]), { HOME: "/home/a" });
});

Deno.test("SqliteSession.reset() waits for the process after a write, and the next batch does after a read", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/a.db`;
  const { session, worker } = await openSession(path, () => {});
  await using _open = { [Symbol.asyncDispose]: () => session.close() };
  const { signal } = new AbortController();
  const options = { readOnly: false, timeoutMs: 10_000 };
  const bounds = {
    maxRows: 1,
    maxBytes: 1_000,
    rowsAs: "objects",
    timeoutMs: 10_000,
    signal,
  } as const;
  const run = async (text: string) => {
    strictEqual(await session.begin(options), true);
    return await session.run({ text, params: [] }, bounds);
  };

  strictEqual((await run("CREATE TABLE t (a)")).ok, true);
  await session.reset();
  strictEqual((await Deno.stat(`${path}-wal`)).size, 0);

  strictEqual((await run("SELECT a FROM t")).ok, true);
  Deno.kill(worker, "SIGSTOP");
  deepStrictEqual(await session.reset(), { rolledBack: false });
  let begun = false;
  const next = session.begin(options).then((ready) => begun = ready);
  await new Promise((resolve) => setTimeout(resolve));
  strictEqual(begun, false);
  Deno.kill(worker, "SIGCONT");
  strictEqual(await next, true);
});

Deno.test("SqliteSession reports that its process ended by itself, and can be closed at once", async () => {
  await using folder = await createTempFolder();
  const lost = Promise.withResolvers<string>();
  const closed = Promise.withResolvers<void>();
  const { session, worker } = await openSession(`${folder.path}/a.db`, (why) => {
    lost.resolve(why);
    closed.resolve(session.close());
  });
  Deno.kill(worker, "SIGKILL");
  strictEqual(await lost.promise, "the process ended with code 137");
  await closed.promise;
  strictEqual(session.usable, false);
});

/** Opens a session, and finds its process. */
async function openSession(path: string, onLost: (why: string) => void) {
  const before = await childrenOf(Deno.pid);
  const { signal } = new AbortController();
  const env = (name: string) => Deno.env.get(name);
  const session = await SqliteSession.open({ path, readOnly: false }, env, { signal, onLost });
  const [worker] = (await childrenOf(Deno.pid)).filter((pid) => !before.includes(pid));
  if (worker === undefined) throw new Error("Cannot find the process of the session");
  return { session, worker };
}
