import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { DEFAULT_CALLER } from "../access/caller.ts";
import { RememberedCalls } from "../calls/call_history.ts";
import type { EndedCallRecord } from "../tool/fleet_desk.ts";
import type { JobEnd, JobStore, NewJob, StoredJob } from "../jobs/job_store.ts";

/** A location of stores; every store that it opens belongs to another server with the same jobs. */
export interface StorePlace extends AsyncDisposable {
  /** What a store adds to a job of its own, such as the name of its server. */
  readonly added?: Partial<StoredJob>;
  open(): Promise<JobStore>;
}

/** The kept output of a stream in these tests: few bytes, so that gaps appear quickly. */
export const KEPT = 1_600;

/** A job as the tests create it. */
export function newJob(more: Partial<NewJob> = {}): NewJob {
  return {
    id: crypto.randomUUID(),
    tool: "echo",
    caller: "default",
    stdin: false,
    createdAt: Date.now(),
    outputBytes: KEPT,
    ...more,
  };
}

/** The end of a job as the tests store it. */
export function newEnd(more: Partial<JobEnd> = {}): JobEnd {
  const endedAt = Date.now();
  const outcome: JobEnd["outcome"] = {
    ok: true,
    result: { content: [], structuredContent: { n: 1 } },
  };
  return { state: "completed", endedAt, expiresAt: endedAt + 60_000, outcome, ...more };
}

/** A function that defines tests of a store, each at a place of its own. */
export function storeTests(name: string, createPlace: () => Promise<StorePlace>) {
  return (what: string, run: (store: JobStore, place: StorePlace) => Promise<void>) =>
    Deno.test(`${name} ${what}`, async () => {
      await using place = await createPlace();
      const store = await place.open();
      try {
        await run(store, place);
      } finally {
        await store.close();
      }
    });
}

/** Defines the tests that every store has to pass. */
export function testJobStore(name: string, createPlace: () => Promise<StorePlace>): void {
  const test = storeTests(name, createPlace);

  test("keeps a job from its creation to its end", async (store, place) => {
    const keptCall = () => "kept\\u0000";
    const { keptCall: _, ...job } = newJob({ caller: "a", title: "echo: 5", stdin: true });
    const creation = await store.create({ ...job, keptCall }, 10);
    strictEqual(await store.keptCall(job.id), "kept\\u0000");
    strictEqual(await store.keptCall(crypto.randomUUID()), undefined);
    const seq = creation.kind === "created" ? creation.job.seq : undefined;
    strictEqual(Number.isSafeInteger(seq), true);
    strictEqual(await store.begin(job.id, 5), true);
    await store.note(job.id, [{ type: "progress", update: { message: "half" } }]);
    const end = newEnd();
    strictEqual(await store.end(job.id, end), true);
    deepStrictEqual(JSON.parse(JSON.stringify(await store.find(job.id))), {
      ...job,
      seq,
      ...place.added,
      server: store.server,
      state: "completed",
      startedAt: 5,
      endedAt: end.endedAt,
      expiresAt: end.expiresAt,
      length: { stdout: 0, stderr: 0 },
      events: 4,
      ending: { outcome: "ok" },
    });
    deepStrictEqual(await store.outcome(job.id), end.outcome);
    const journal = await store.journal(job.id, 1);
    deepStrictEqual(journal.map(({ number, entry }) => [number, entry]), [
      [2, { type: "state", state: "running" }],
      [3, { type: "progress", update: { message: "half" } }],
      [4, { type: "state", state: "completed" }],
    ]);
  });

  test("ends a job with the rest of its output and progress, all of it or nothing", async (store) => {
    const { id } = newJob();
    await store.create(newJob({ id }), 10);
    await store.begin(id, 1);
    await store.append(id, [{ stream: "stdout", offset: 0, bytes: Uint8Array.of(1) }]);
    const rest = (offset: number) => ({
      pieces: [{ stream: "stdout", offset, bytes: Uint8Array.of(2, 3) } as const],
      switches: [],
      entries: [{ type: "progress", update: { message: "all" } } as const],
    });
    // There is a hole in it.
    await rejects(store.end(id, newEnd(), undefined, rest(5)), /Cannot append at 5/);
    strictEqual((await store.find(id))?.state, "running");
    strictEqual(await store.end(id, newEnd(), undefined, rest(1)), true);
    const ended = await store.find(id);
    deepStrictEqual([ended?.state, ended?.length.stdout, ended?.events], ["completed", 3, 4]);
    const journal = await store.journal(id, 2);
    deepStrictEqual(journal.map(({ entry, length }) => [entry, length.stdout]), [
      [{ type: "progress", update: { message: "all" } }, 3],
      [{ type: "state", state: "completed" }, 3],
    ]);
    strictEqual(await store.end(id, newEnd(), undefined, rest(1)), false);
  });

  test("changes nothing once a job is final, or if it never was", async (store) => {
    const { id } = newJob();
    const piece = { stream: "stdout", offset: 0, bytes: Uint8Array.of(1) } as const;
    const changes = async () => [
      await store.begin(id, 1),
      await store.append(id, [piece]),
      await store.note(id, [{ type: "progress", update: {} }]),
      await store.end(id, newEnd()),
    ];
    deepStrictEqual(await changes(), [false, false, false, false]);
    await store.create(newJob({ id }), 10);
    const refusal = { kind: "TOOL_FAILED", code: "NO_LUCK", message: "no luck" } as const;
    await store.end(id, newEnd({ state: "failed", outcome: { ok: false, refusal } }));
    const before = await store.find(id);
    deepStrictEqual(before?.error, { code: "NO_LUCK", message: "no luck" });
    deepStrictEqual(await changes(), [false, false, false, false]);
    deepStrictEqual(await store.find(id), before);
  });

  test("finds a job by its key again, of the same caller only", async (store) => {
    const job = newJob({ caller: "a", idempotency: { key: "k", digest: "1" } });
    await store.create(job, 10);
    const again = await store.create({ ...job, id: crypto.randomUUID() }, 10);
    strictEqual(again.kind === "exists" && again.sameRequest && again.job.id, job.id);
    const other = { ...job, id: crypto.randomUUID(), idempotency: { key: "k", digest: "2" } };
    const reused = await store.create(other, 10);
    strictEqual(reused.kind === "exists" && reused.sameRequest, false);
    strictEqual((await store.create({ ...other, caller: "b" }, 10)).kind, "created");
    const id = crypto.randomUUID();
    strictEqual((await store.create({ ...other, id, caller: "c" }, 10)).kind, "created");
  });

  test("forgets a key with its job, once that has expired", async (store) => {
    const job = newJob({ idempotency: { key: "k", digest: "1" } });
    await store.create(job, 10);
    await store.end(job.id, newEnd({ expiresAt: job.createdAt }));
    const next = { ...job, id: crypto.randomUUID() };
    strictEqual((await store.create(next, 10)).kind, "created");
    strictEqual(await store.find(job.id), undefined);
  });

  test("removes the job that ended first to make room, and none that is live", async (store) => {
    const jobs = [newJob(), newJob(), newJob()] as const;
    for (const job of jobs) await store.create(job, 3);
    strictEqual((await store.create(newJob(), 3)).kind, "full");
    await store.end(jobs[2].id, newEnd({ endedAt: 10 }));
    await store.end(jobs[0].id, newEnd({ endedAt: 20 }));
    strictEqual((await store.create(newJob(), 3)).kind, "created");
    strictEqual(await store.find(jobs[2].id), undefined);
    strictEqual((await store.find(jobs[0].id))?.state, "completed");
    strictEqual((await store.find(jobs[1].id))?.state, "queued");
  });

  test("makes room from the caller that has most, down to as many as others have", async (store) => {
    const end = async (caller: string, endedAt: number) => {
      const job = newJob({ caller });
      strictEqual((await store.create(job, 4)).kind, "created");
      await store.end(job.id, newEnd({ endedAt }));
    };
    for (const endedAt of [1, 2]) await end("quiet", endedAt);
    for (let endedAt = 3; endedAt < 20; endedAt++) await end("busy", endedAt);
    const kept = async (caller: string) => {
      const jobs = await store.list({ caller, limit: 10, now: 0 });
      return jobs.map(({ endedAt }) => endedAt);
    };
    deepStrictEqual([await kept("quiet"), await kept("busy")], [[2, 1], [19, 18]]);
    await store.create(newJob({ caller: "new" }), 3);
    deepStrictEqual([await kept("quiet"), await kept("busy")], [[2], [19]]);
  });

  test("keeps at most as many live jobs of a caller as it may have", async (store, place) => {
    const [first, second] = [newJob({ caller: "a" }), newJob({ caller: "a", maxOfCaller: 2 })];
    for (const job of [first, second]) strictEqual((await store.create(job, 3)).kind, "created");
    const third = newJob({ caller: "a", maxOfCaller: 2 });
    deepStrictEqual(await store.create(third, 10), { kind: "full", of: "caller" });
    const other = await place.open();
    deepStrictEqual(await other.create(third, 10), { kind: "full", of: "caller" });
    await other.close();
    strictEqual((await store.create(newJob({ caller: "b", maxOfCaller: 1 }), 3)).kind, "created");
    deepStrictEqual(await store.create(newJob({ caller: "b" }), 3), { kind: "full", of: "server" });
    deepStrictEqual(await store.create(newJob({ caller: "c", maxOfCaller: 0 }), 10), {
      kind: "full",
      of: "caller",
    });
    await store.end(first.id, newEnd());
    strictEqual((await store.create(third, 10)).kind, "created");
  });

  test("lists a caller's jobs, newest first, by state, tool and page", async (store) => {
    const ids: string[] = [];
    for (let at = 0; at < 6; at++) {
      const job = newJob({ caller: at === 2 ? "b" : "a", tool: at % 2 === 0 ? "even" : "odd" });
      await store.create(job, 10);
      ids.push(job.id);
    }
    await store.end(ids[5] ?? "", newEnd());
    await store.end(ids[3] ?? "", newEnd({ expiresAt: 1_000 }));
    const list = async (query: Partial<Parameters<JobStore["list"]>[0]>) => {
      const found = await store.list({ caller: "a", limit: 10, now: 1_000, ...query });
      return found.map(({ id }) => ids.indexOf(id));
    };
    deepStrictEqual(await list({}), [5, 4, 1, 0]);
    deepStrictEqual(await list({ state: "queued" }), [4, 1, 0]);
    deepStrictEqual(await list({ tool: "odd" }), [5, 1]);
    deepStrictEqual(await list({ limit: 2 }), [5, 4]);
    const last = await store.find(ids[4] ?? "");
    deepStrictEqual(await list({ before: last?.seq ?? 0 }), [1, 0]);
    deepStrictEqual(await list({ caller: "c" }), []);
    deepStrictEqual(await list({ caller: undefined }), [5, 4, 2, 1, 0]);
    deepStrictEqual(await list({ caller: undefined, tool: "even", limit: 2 }), [4, 2]);
  });

  test("removes final jobs, and those that have expired", async (store) => {
    const [first, second] = [newJob(), newJob()];
    for (const job of [first, second]) await store.create(job, 10);
    strictEqual(await store.remove(first.id), false);
    await store.end(first.id, newEnd({ expiresAt: 100 }));
    strictEqual(await store.removeExpired(99), 0);
    strictEqual(await store.removeExpired(100), 1);
    await store.end(second.id, newEnd());
    strictEqual(await store.remove(second.id), true);
    strictEqual(await store.remove(second.id), false);
    await store.tidy();
  });

  test("keeps the last calls of all servers for those who may see them", async (store, place) => {
    const other = await place.open();
    const [first, second] = [remember(store, "web-1"), remember(other)];
    const early = new RememberedCalls();
    using _stop = { [Symbol.dispose]: () => [first, second, early].forEach(end) };
    const idsFor = async (history: RememberedCalls, caller: string) => {
      const rights = { tools: ["*"], hosts: [], databases: {}, paths: [], admin: caller === "ops" };
      return (await history.list({ name: caller, rights })).map(({ id }) => id);
    };
    first.add(endedCall("a-1", "ada", 1_000));
    second.add(endedCall("b-1", "bob", 3_000));
    first.add(endedCall("a-2", "ada", 2_000));
    await first.flush();
    await second.flush();
    // What ended before the store was open is kept, too.
    early.add(endedCall("c-1", "ada", 4_000));
    deepStrictEqual(await idsFor(early, "ops"), ["c-1"]);
    early.keepIn(store, SILENT);
    for (const history of [early, first, second]) {
      deepStrictEqual(await idsFor(history, "ops"), ["c-1", "b-1", "a-2", "a-1"]);
      deepStrictEqual(await idsFor(history, "ada"), ["c-1", "a-2", "a-1"]);
    }
    const [, , last] = await second.list(DEFAULT_CALLER);
    deepStrictEqual(last, { ...endedCall("a-2", "ada", 2_000), server: "web-1" });
    await store.addEndedCalls([last!], 1_000);
    strictEqual((await idsFor(first, "ops")).length, 4, "each once");
    for (let n = 1; n <= 1_000; n++) first.add(endedCall(`d-${n}`, "bob", 5_000 + n));
    await first.flush();
    const all = await idsFor(second, "ops");
    deepStrictEqual([all.length, all[0], all.at(-1)], [1_000, "d-1000", "d-1"]);
    deepStrictEqual(await idsFor(second, "ada"), []);
    strictEqual((await idsFor(second, "bob")).length, 1_000);
    await other.close();
    second.add(endedCall("e-1", "bob", 9_000));
    deepStrictEqual(await idsFor(second, "ops"), ["e-1", "b-1"], "without its store, its own");
  });
}

function end(history: Disposable): void {
  history[Symbol.dispose]();
}

/** A call that has ended. */
export function endedCall(id: string, caller: string, endedAt: number): EndedCallRecord {
  const startedAt = new Date(endedAt - 5).toISOString();
  return { id, tool: "echo", caller, transport: "http", startedAt, durationMs: 5, outcome: "ok" };
}

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** Calls that are remembered where a store keeps them, as a server of a name does. */
function remember(store: JobStore, server?: string): RememberedCalls {
  const history = new RememberedCalls();
  history.keepIn(store, SILENT, server);
  return history;
}

/** How the tests mark a lost job. */
export const LOST: Parameters<JobStore["loseOrphans"]>[0] = {
  endedAt: 7,
  expiresAt: 8,
  outcomeOf: (state) => ({
    ok: false,
    refusal: { kind: "JOB_LOST", code: "JOB_LOST", message: `it was ${state}` },
  }),
};
