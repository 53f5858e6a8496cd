import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { runBatch } from "./run_batch.ts";
import { SessionPool } from "./session_pool.ts";
import type { SqlSession } from "./sql_session.ts";

const ignore = () => {};
const LOG = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Runs batches on a pool of one connection; notes which sessions are opened and closed. */
function createBatches(parts: Partial<SqlSession>) {
  const events: string[] = [];
  const pool = new SessionPool({ perDatabase: 1, inAll: 1, idleMs: 60_000 }, LOG);
  const open = () => {
    events.push("open");
    const session = {
      usable: true,
      begin: () => Promise.resolve(true),
      run: () => Promise.reject(new RangeError("Maximum call stack size exceeded")),
      reset: () => Promise.resolve({ rolledBack: false }),
      close: () => {
        session.usable = false;
        return Promise.resolve(void events.push("close"));
      },
      ...parts,
    };
    return Promise.resolve(session);
  };
  const run = (signal = new AbortController().signal) =>
    runBatch({ queries: ["SELECT 1"], readOnly: false }, {
      found: { ok: true, target: { engine: "sqlite", name: "a", path: "/a" } },
      pool,
      opener: () => ({ key: "a", open }),
      timeoutMs: 0,
      maxRows: 1,
      rowsAs: "objects",
      budget: { bytes: 1_000 },
      explain: (error) => Promise.resolve(error),
      signal,
    });
  return { run, events, [Symbol.asyncDispose]: () => pool.close() };
}

Deno.test("runBatch() does not reuse a session whose query threw", async () => {
  await using batches = createBatches({});
  await rejects(batches.run(), RangeError);
  await rejects(batches.run(), RangeError);
  deepStrictEqual(batches.events.filter((event) => event === "open").length, 2);
  strictEqual(batches.events[1], "close");
});

Deno.test("runBatch() does not reuse a session that could not be reset", async () => {
  const run: SqlSession["run"] = () => Promise.resolve({ ok: false, error: ERROR });
  const reset = () => Promise.reject(new Error("Cannot reset"));
  await using batches = createBatches({ run, reset });
  await rejects(batches.run(), /Cannot reset/);
  strictEqual(batches.events[1], "close");
});

Deno.test("runBatch() frees the connection of a session that can't begin", async () => {
  await using batches = createBatches({ begin: () => Promise.reject(new Error("broken")) });
  for (let call = 0; call < 2; call++) {
    const { results } = await batches.run();
    deepStrictEqual(results[0]?.error, { code: "08001", message: "broken" });
  }
  strictEqual(batches.events.filter((event) => event === "open").length, 2);
});

Deno.test("runBatch() waits for no session that still tidies up once its call is cancelled", async () => {
  const begun = Promise.withResolvers<void>();
  const begin = () => {
    begun.resolve();
    return new Promise<boolean>(() => {});
  };
  await using batches = createBatches({ begin });
  const controller = new AbortController();
  const stopped = batches.run(controller.signal);
  await begun.promise;
  controller.abort(new Error("stop"));
  strictEqual((await stopped).results[0]?.error?.message, "stop");
  strictEqual(batches.events[1], "close");
});

const ERROR = { code: "42601", message: "syntax error" };
