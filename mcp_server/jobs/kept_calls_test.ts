import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { AuditLog } from "../calls/audit.ts";
import { CallDispatcher } from "../calls/call_dispatcher.ts";
import { defaultLimits } from "../shared/limits.ts";
import { NO_JOBS } from "../testing/no_jobs.ts";
import { createTestRunner } from "../testing/test_runner.ts";
import { ToolRegistry } from "../tool/registry.ts";
import type { CallOutcome } from "../tool/result.ts";
import type { CallOptions } from "../tool/service.ts";
import { JobManager } from "./job_manager.ts";
import type { JobStore } from "./job_store.ts";
import { PendingCall } from "./kept_calls.ts";
import { SqliteJobStore } from "./sqlite/sqlite_store.ts";

const DONE: CallOutcome = { ok: true, result: { content: [] } };
const CALLER = { name: "bob" };

/** Jobs in a store of the test, which is opened by `open` and counted. */
async function openJobs(open?: () => Promise<JobStore>) {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTempFolder());
  const { pool, log } = stack.use(createTestRunner());
  const limits = defaultLimits(2);
  const parts = { limits, log, redact: (text: string) => text };
  const meter = { record: () => {}, called: () => {}, ran: () => {} };
  const dispatcher = new CallDispatcher({
    ...parts,
    registry: new ToolRegistry(),
    audit: new AuditLog(() => {}),
    meter,
    createRunner: pool.forCall,
    jobsOf: () => NO_JOBS,
  });
  const stores: JobStore[] = [];
  const manager = new JobManager({
    ...parts,
    dispatcher,
    pool,
    meter,
    identity: { name: "here", labels: [], version: "1.0.0" },
    callerOf: () => CALLER,
    currentOf: (caller) => caller,
    isShared: false,
    openStore: async () => {
      const store = await (open?.() ?? SqliteJobStore.open(folder.path));
      stores.push(store);
      return store;
    },
  });
  stack.defer(() => manager.close());
  const ends = stack.move();
  return {
    stores,
    /** Begins a call of the test. */
    call: (run: (options: CallOptions) => Promise<CallOutcome>) =>
      new PendingCall({
        caller: CALLER,
        request: { tool: "echo", args: {} },
        options: { transport: "mcp-http" },
        jobs: manager,
      }, run),
    /** What is stored of a stream of a job, and the state of that. */
    read: async (id: string) => {
      const store = await manager.store();
      const { state } = await store.find(id) ?? {};
      const pieces = await store.read(id, "stdout", { from: 0, to: 1_000_000 });
      return { state, text: pieces.map(({ bytes }) => new TextDecoder().decode(bytes)).join("") };
    },
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}

const write = ({ onOutput }: CallOptions, text: string) => onOutput?.({ stream: "stdout", text });

Deno.test("PendingCall opens no store for a call that stays one", async () => {
  await using jobs = await openJobs();
  const call = jobs.call((options) => {
    write(options, "a");
    return Promise.resolve(DONE);
  });
  deepStrictEqual([await call.outcome, call.isKept], [DONE, false]);
  await call.forget();
  strictEqual(jobs.stores.length, 0);
});

Deno.test("PendingCall stores what is written before, while and after it becomes a job, in order", async () => {
  await using jobs = await openJobs();
  const call = jobs.call(async (options) => {
    write(options, "before ");
    const keeping = options.job?.keep();
    write(options, "while ");
    const kept = await keeping;
    write(options, "after");
    return { ok: true, result: { content: [], structuredContent: { ...kept } } };
  });
  const outcome = await call.outcome;
  await call.stored();
  const { id, next } = JSON.parse(JSON.stringify(outcome)).result.structuredContent;
  deepStrictEqual(next, { stdout: "before ".length, stderr: 0 });
  deepStrictEqual(await jobs.read(id), { state: "completed", text: "before while after" });
});

Deno.test("PendingCall gives the job more output than it holds, which waits for that", async () => {
  await using jobs = await openJobs();
  let waits: unknown[] = [];
  const call = jobs.call(async (options) => {
    const small = write(options, "x".repeat(1_000));
    const large = write(options, "x".repeat(65_000));
    const larger = write(options, "x".repeat(200_000));
    waits = [small, large, larger instanceof Promise, jobs.stores.length];
    await larger;
    waits.push(jobs.stores.length);
    return DONE;
  });
  await call.outcome;
  deepStrictEqual(waits, [undefined, undefined, true, 0, 1]);
  strictEqual(call.isKept, false);
  await call.forget();
  const query = { caller: undefined, now: Date.now(), limit: 10 };
  deepStrictEqual(await jobs.stores[0]?.list(query), []);
});

Deno.test("PendingCall goes on without a job when the store of jobs does not answer", async () => {
  const silent = Promise.withResolvers<never>();
  await using jobs = await openJobs(() => silent.promise);
  const refused = { code: "JOBS_UNAVAILABLE", message: /its store does not answer/ };
  const call = jobs.call(async (options) => {
    await rejects(async () => await options.job?.keep(), refused);
    await write(options, "x".repeat(100_000));
    return DONE;
  });
  deepStrictEqual([await call.outcome, call.isKept], [DONE, false]);
  silent.reject(new Error("The test ends"));
});
