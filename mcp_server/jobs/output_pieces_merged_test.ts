import { deepStrictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { newJob } from "../testing/job_store_suite.ts";
import { placeBefore, readMerged } from "./output_pieces.ts";
import { SqliteJobStore } from "./sqlite/sqlite_store.ts";

// 10 bytes of stdout, 5 of stderr, 20 of stdout, and then 7 of each without an order.
const SWITCHES = [{ stdout: 10, stderr: 0 }, { stdout: 10, stderr: 5 }, { stdout: 30, stderr: 5 }];
const END = { stdout: 37, stderr: 12 };

Deno.test("placeBefore() goes back in the order in which output was stored", () => {
  const cases = [
    [3, { stdout: 37, stderr: 9 }],
    [7, { stdout: 37, stderr: 5 }],
    [10, { stdout: 34, stderr: 5 }],
    [14, { stdout: 30, stderr: 5 }],
    [34, { stdout: 10, stderr: 5 }],
    [36, { stdout: 10, stderr: 3 }],
    [40, { stdout: 9, stderr: 0 }],
    [1_000, { stdout: 0, stderr: 0 }],
  ] as const;
  for (const [bytes, place] of cases) deepStrictEqual(placeBefore(SWITCHES, END, bytes), place);
});

Deno.test("placeBefore() knows only the switches before the end", () => {
  deepStrictEqual(placeBefore(SWITCHES, { stdout: 25, stderr: 5 }, 17), { stdout: 10, stderr: 3 });
  deepStrictEqual(placeBefore([], { stdout: 5, stderr: 0 }, 2), { stdout: 3, stderr: 0 });
});

Deno.test("readMerged() says when output came: its marks, and before them when the job began", async () => {
  await using folder = await createTempFolder();
  const store = await SqliteJobStore.open(`${folder.path}/data`);
  const { id } = newJob();
  await store.create(newJob({ id }), 10);
  await store.begin(id, 1_000);
  const bytes = new TextEncoder().encode("0123456789");
  const marks = [{ stdout: 4, stderr: 0, at: 5_000 }, { stdout: 7, stderr: 0 }, {
    stdout: 10,
    stderr: 2,
    at: 9_000,
  }];
  await store.append(
    id,
    [{ stream: "stdout", offset: 0, bytes }, { stream: "stderr", offset: 0, bytes }],
    undefined,
    marks,
  );
  const find = async () => {
    const job = await store.find(id);
    if (job === undefined) throw new Error("the job is gone");
    return job;
  };
  const read = async (limit: number) => {
    const { events } = await readMerged(store, await find(), { limit, find });
    return events.map((event) => [
      event.type,
      event.at,
      "bytes" in event ? new TextDecoder().decode(event.bytes) : "",
    ]);
  };
  const all = [
    ["stdout", 1_000, "0123"],
    ["stdout", 5_000, "456"],
    ["stdout", 5_000, "789"],
    ["stderr", 5_000, "01"],
    ["stderr", 9_000, "23456789"],
  ];
  deepStrictEqual(await read(100), all);
  deepStrictEqual(await read(12), [["stdout", 5_000, "89"], ...all.slice(3)]);
  await store.close();
});
