import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { type Lease, type PoolLimits, SessionPool, type Thrift } from "./session_pool.ts";
import type { SqlSession } from "./sql_session.ts";

const warnings: string[] = [];
const ignore = () => {};
const LOG = {
  debug: ignore,
  info: ignore,
  warn: (text: string) => warnings.push(text),
  error: ignore,
};

interface FakeOptions extends Partial<PoolLimits> {
  readonly thrift?: Thrift;
  /** How long opening a session takes. */
  readonly openMs?: number;
}

function createFake({ thrift, openMs, ...limits }: FakeOptions = {}) {
  const pool = new SessionPool({ perDatabase: 2, inAll: 3, idleMs: 60_000, ...limits }, LOG);
  const events: string[] = [];
  const losses: (() => void)[] = [];
  let opened = 0;
  const acquire = async (key: string, waitMs = 0, signal = new AbortController().signal) => {
    const lease = await pool.acquire({
      key,
      waitMs,
      signal,
      ...(thrift && { thrift }),
      open: async ({ onLost }) => {
        if (openMs !== undefined) await new Promise((resolve) => setTimeout(resolve, openMs));
        const name = `${key}${++opened}`;
        events.push(`open ${name}`);
        losses.push(() => onLost("gone"));
        return createSession(name);
      },
    });
    return "error" in lease ? lease.error.code : lease;
  };
  const createSession = (name: string): SqlSession & { usable: boolean } => ({
    usable: true,
    begin: () => Promise.resolve(true),
    run: () => Promise.reject(new Error("Cannot run: this is a fake")),
    reset: () => Promise.resolve({ rolledBack: false }),
    close: () => Promise.resolve(void events.push(`close ${name}`)),
  });
  return { pool, events, losses, acquire };
}

function leased(lease: Lease | string): Lease {
  if (typeof lease === "string") throw new Error(`Cannot acquire: ${lease}`);
  return lease;
}

Deno.test("SessionPool reuses an idle session, and never one that is in use", async () => {
  const { pool, events, acquire } = createFake();
  const first = leased(await acquire("a"));
  const second = leased(await acquire("a"));
  strictEqual(first.session === second.session, false);
  first.release();
  strictEqual(leased(await acquire("a")).session, first.session);
  deepStrictEqual(events, ["open a1", "open a2"]);
  await pool.close();
});

Deno.test("SessionPool keeps its limits, and closes an idle session for another database", async () => {
  const { pool, events, acquire } = createFake();
  const [a1, , b1] = [await acquire("a"), await acquire("a"), await acquire("b")];
  strictEqual(await acquire("a"), "53300");
  strictEqual(await acquire("b"), "53300");
  leased(a1).release();
  leased(b1).release();
  await acquire("c");
  deepStrictEqual(events, ["open a1", "open a2", "open b3", "close a1", "open c4"]);
  await pool.close();
});

Deno.test("SessionPool lets a caller wait until a session is free, or its signal aborts", async () => {
  const { pool, acquire } = createFake({ perDatabase: 1 });
  const first = leased(await acquire("a"));
  const controller = new AbortController();
  const stopped = acquire("a", 60_000, controller.signal);
  const waiting = acquire("a", 60_000);
  controller.abort("stop");
  await rejects(stopped, (reason) => reason === "stop");
  first.release();
  strictEqual(leased(await waiting).session, first.session);
  await pool.close();
});

Deno.test("SessionPool logs and replaces an idle session that is lost, and closes one that is idle too long", async () => {
  const { pool, events, losses, acquire } = createFake({ idleMs: 1 });
  const first = leased(await acquire("a"));
  first.release();
  losses[0]?.();
  deepStrictEqual(warnings, ["idle database connection lost"]);
  leased(await acquire("a")).release();
  await new Promise((resolve) => setTimeout(resolve, 30));
  deepStrictEqual(events, ["open a1", "close a1", "open a2", "close a2"]);
  await pool.close();
  strictEqual(await acquire("a"), "POOL_CLOSED");
});

Deno.test("SessionPool frees the connection when a session can't be opened", async () => {
  const { pool, acquire } = createFake({ perDatabase: 1 });
  const failing = pool.acquire({
    key: "a",
    waitMs: 0,
    signal: new AbortController().signal,
    open: () => Promise.reject(new Error("Cannot connect: refused")),
  });
  await rejects(failing, /refused/);
  strictEqual(typeof await acquire("a"), "object");
  await pool.close();
});

Deno.test("SessionPool with thrift waits for a session in use before it opens another one", async () => {
  const { pool, events, acquire } = createFake({ thrift: { patienceMs: 60_000, idleMs: 60_000 } });
  const first = leased(await acquire("a", 60_000));
  const second = acquire("a", 60_000);
  leased(await acquire("b", 60_000)).release();
  first.release();
  strictEqual(leased(await second).session, first.session);
  strictEqual(leased(await acquire("a", 1)).session === first.session, false);
  deepStrictEqual(events, ["open a1", "open b2", "open a3"]);
  await pool.close();
});

Deno.test("SessionPool with thrift waits as long as opening a session took", async () => {
  const { pool, events, acquire } = createFake({
    thrift: { patienceMs: 1, idleMs: 60_000 },
    openMs: 20,
  });
  const first = leased(await acquire("a", 60_000));
  setTimeout(first.release, 5);
  strictEqual(leased(await acquire("a", 60_000)).session, first.session);
  deepStrictEqual(events, ["open a1"]);
  await pool.close();
});

Deno.test("SessionPool with thrift soon closes all idle sessions of a database but one", async () => {
  const { pool, events, acquire } = createFake({ thrift: { patienceMs: 1, idleMs: 1 } });
  const leases = [await acquire("a", 60_000), await acquire("a", 60_000), await acquire("b")];
  for (const lease of leases) leased(lease).release();
  await new Promise((resolve) => setTimeout(resolve, 30));
  deepStrictEqual(events, ["open a1", "open a2", "open b3", "close a2"]);
  await pool.close();
});
