import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { defaultLimits } from "../shared/limits.ts";
import { newJob } from "../testing/job_store_suite.ts";
import { createTestRunner } from "../testing/test_runner.ts";
import type { CallOutcome } from "../tool/result.ts";
import { type JobCall, LiveJob } from "./live_job.ts";
import { SqliteJobStore } from "./sqlite/sqlite_store.ts";

const DONE: CallOutcome = { ok: true, result: { content: [] } };

/** A call that may become a job and runs until `done` is resolved, in a store of the test. */
async function startCall() {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTempFolder());
  const store = await SqliteJobStore.open(folder.path);
  stack.defer(() => store.close());
  const { pool, log } = stack.use(createTestRunner());
  const [begun, done] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
  let idNow: () => string | undefined = () => undefined;
  const run: JobCall["run"] = async ({ client }, { jobId }) => {
    idNow = jobId;
    begun.resolve("begun");
    await done.promise;
    return client.signal.aborted ? { ok: false, refusal: client.signal.reason } : DONE;
  };
  const call: JobCall = { run, caller: { name: "bob" }, priority: "call" };
  const parts = { store, pool, log, limits: defaultLimits(2), meter: { record: () => {} } };
  const live = new LiveJob(newJob(), call, parts);
  await begun.promise;
  const ends = stack.move();
  return { live, store, done, id: () => idNow(), [Symbol.asyncDispose]: () => ends.disposeAsync() };
}

Deno.test("LiveJob has no id for its call, and no state, until it is kept", async () => {
  await using call = await startCall();
  const { live, store } = call;
  deepStrictEqual([call.id(), live.state], [undefined, undefined]);
  await live.keep();
  deepStrictEqual([call.id(), live.state], [live.id, "running"]);
  call.done.resolve();
  await live.ended;
  strictEqual((await store.find(live.id))?.state, "completed");
});

Deno.test("LiveJob abandons what is stored, and nothing else", async () => {
  await using call = await startCall();
  const { live, store } = call;
  live.abandon();
  await live.keep();
  strictEqual((await store.find(live.id))?.state, "running");
  live.abandon();
  call.done.resolve();
  const outcome = await live.outcome;
  await live.ended;
  deepStrictEqual([outcome.ok, (await store.find(live.id))?.state], [false, "running"]);
});

for (const order of ["before", "after"] as const) {
  Deno.test(`LiveJob removes a kept call that is forgotten ${order} its end`, async () => {
    await using call = await startCall();
    const { live, store } = call;
    await live.keep();
    const forgotten = order === "before" ? live.forget() : undefined;
    call.done.resolve();
    await live.ended;
    await (forgotten ?? live.forget());
    strictEqual(await store.find(live.id), undefined);
  });
}
