import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { newEnd, newJob } from "../testing/job_store_suite.ts";
import { LateStore } from "./late_store.ts";
import { SqliteJobStore } from "./sqlite/sqlite_store.ts";

const MAX_JOBS = 10;

/** A piece that no store accepts, because the bytes before it are missing. */
const UNFIT = { stream: "stdout", offset: 5, bytes: new Uint8Array(1) } as const;

Deno.test("LateStore stores a call with all that has happened to it, once it is kept", async () => {
  await using folder = await createTempFolder();
  const store = await SqliteJobStore.open(folder.path);
  const job = newJob();
  const late = new LateStore(store, job, MAX_JOBS);
  await late.begin(job.id, 1);
  await late.append(job.id, [{ ...UNFIT, offset: 0 }]);
  strictEqual(await store.find(job.id), undefined);
  await late.keep();
  const kept = await store.find(job.id);
  deepStrictEqual([kept?.state, kept?.startedAt, kept?.length.stdout], ["running", 1, 1]);
  await late.end(job.id, newEnd());
  strictEqual((await store.find(job.id))?.state, "completed");
  await store.close();
});

for (const order of ["before", "after"] as const) {
  Deno.test(`LateStore removes a call that could be kept only in part, and is forgotten ${order} its end`, async () => {
    await using folder = await createTempFolder();
    const store = await SqliteJobStore.open(folder.path);
    const job = newJob();
    const late = new LateStore(store, job, MAX_JOBS);
    await late.begin(job.id, 1);
    await late.append(job.id, [UNFIT]);
    await rejects(late.keep(), { code: "JOBS_UNAVAILABLE" });
    if (order === "before") await late.forget();
    strictEqual(await late.end(job.id, newEnd()), true);
    if (order === "after") await late.forget();
    strictEqual(await store.find(job.id), undefined);
    await store.close();
  });
}
