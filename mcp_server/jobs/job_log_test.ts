import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { JobError } from "../tool/job.ts";
import { newEnd, newJob } from "../testing/job_store_suite.ts";
import { JobLog, type JobLogOptions } from "./job_log.ts";
import { SqliteJobStore } from "./sqlite/sqlite_store.ts";

const METER = { record: () => {} };
const OUTPUT = { stream: "stdout", text: "a" } as const;

/** A store in a folder of the test. */
async function openStore() {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTempFolder());
  const store = await SqliteJobStore.open(folder.path);
  stack.defer(() => store.close());
  const ends = stack.move();
  return { store, [Symbol.asyncDispose]: () => ends.disposeAsync() };
}

/** Writes to a store; `changed` are the operations that do something else. */
function writeTo(store: SqliteJobStore, changed: Partial<JobLogOptions["store"]> = {}) {
  return {
    server: store.server,
    create: store.create.bind(store),
    begin: store.begin.bind(store),
    append: store.append.bind(store),
    note: store.note.bind(store),
    ask: store.ask.bind(store),
    end: store.end.bind(store),
    remove: store.remove.bind(store),
    ...changed,
  };
}

/** A log that holds a new job until it is kept; a failure ends the test. */
function hold(store: JobLogOptions["store"], job = newJob(), maxJobs = 10): JobLog {
  const onFailed = (error: unknown) => {
    throw new Error("Cannot write to the store", { cause: error });
  };
  return new JobLog(job, { store, maxJobs, meter: METER, onFailed });
}

Deno.test("JobLog stores a call with all that has happened to it, once it is kept", async () => {
  await using place = await openStore();
  const { store } = place;
  const job = newJob();
  const log = hold(store, job);
  await log.begin();
  log.output(OUTPUT);
  log.progress({ message: "half" });
  await log.flush();
  deepStrictEqual([log.isStored, await store.find(job.id)], [false, undefined]);
  await Promise.all([log.keep(), log.keep()]);
  const kept = await store.find(job.id);
  deepStrictEqual([log.isStored, kept?.state, kept?.length.stdout], [true, "running", 1]);
  log.output(OUTPUT);
  await log.flush();
  await log.end(newEnd());
  const ended = await store.find(job.id);
  deepStrictEqual([ended?.state, ended?.length.stdout, ended?.events], ["completed", 2, 4]);
});

Deno.test("JobLog stores a call that has ended before it is kept, with its end", async () => {
  await using place = await openStore();
  const { store } = place;
  const job = newJob();
  const log = hold(store, job);
  await log.begin();
  await log.end(newEnd());
  strictEqual(await store.find(job.id), undefined);
  await log.keep();
  strictEqual((await store.find(job.id))?.state, "completed");
});

Deno.test("JobLog stores much output before the call is kept, and removes it if that is forgotten", async () => {
  await using place = await openStore();
  const { store } = place;
  const job = newJob();
  const log = hold(store, job);
  await log.begin();
  for (let part = 0; part < 5; part++) {
    await log.output({ ...OUTPUT, bytes: new Uint8Array(64 * 1024) });
  }
  deepStrictEqual([log.isStored, (await store.find(job.id))?.length.stdout], [true, 5 * 64 * 1024]);
  await log.end(newEnd());
  log.forget();
  await log.remove();
  strictEqual(await store.find(job.id), undefined);
});

Deno.test("JobLog lets a call go on that can't be kept because too many jobs are live", async () => {
  await using place = await openStore();
  const { store } = place;
  await store.create(newJob(), 1);
  const job = newJob();
  const log = hold(store, job, 1);
  await log.begin();
  log.output(OUTPUT);
  await log.flush();
  await rejects(log.keep(), { code: "BUSY" });
  await rejects(log.keep(), { code: "BUSY" });
  log.output(OUTPUT);
  await log.flush();
  await log.end(newEnd());
  deepStrictEqual([log.isStored, await store.find(job.id)], [false, undefined]);
});

for (const order of ["before", "after"] as const) {
  Deno.test(`JobLog ends a call that could be kept only in part, and removes it if it is forgotten ${order} its end`, async () => {
    await using place = await openStore();
    const { store } = place;
    const job = newJob();
    const log = hold(
      writeTo(store, {
        append: () => Promise.reject(new JobError("no", { code: "JOBS_UNAVAILABLE" })),
      }),
      job,
    );
    await log.begin();
    log.output(OUTPUT);
    await log.flush();
    await rejects(log.keep(), { code: "JOBS_UNAVAILABLE" });
    strictEqual((await store.find(job.id))?.state, "running");
    if (order === "before") log.forget();
    await log.end(newEnd());
    strictEqual((await store.find(job.id))?.state, "completed");
    log.forget();
    await log.remove();
    strictEqual(await store.find(job.id), undefined);
  });
}

Deno.test("JobLog removes a call whose end was held when it could be kept only in part", async () => {
  await using place = await openStore();
  const { store } = place;
  const job = newJob();
  const begin = () => Promise.reject(new JobError("no", { code: "JOBS_UNAVAILABLE" }));
  const log = hold(writeTo(store, { begin }), job);
  await log.begin();
  await log.end(newEnd());
  await rejects(log.keep(), { code: "JOBS_UNAVAILABLE" });
  strictEqual((await store.find(job.id))?.state, "queued");
  log.forget();
  await log.remove();
  strictEqual(await store.find(job.id), undefined);
});
