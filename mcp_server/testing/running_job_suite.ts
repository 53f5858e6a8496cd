import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import type { JobStore, StoredJob } from "../jobs/job_store.ts";
import { createRandom } from "../soak/random.ts";
import { isFinal, toOutputRange } from "../tool/job.ts";
import { KEPT, LOST, newEnd, newJob, type StorePlace, storeTests } from "./job_store_suite.ts";

/** Defines the tests of what every store keeps of a running job: output, progress and commands. */
export function testRunningJobs(name: string, createPlace: () => Promise<StorePlace>): void {
  const test = storeTests(name, createPlace);

  test("keeps where one stream goes on after the other one, and when", async (store) => {
    const { id } = newJob();
    await store.create(newJob({ id }), 10);
    await store.begin(id, 1);
    const bytes = new Uint8Array(5);
    const pieces = [
      { stream: "stdout", offset: 0, bytes },
      { stream: "stderr", offset: 0, bytes },
    ] as const;
    const places = [{ stdout: 2, stderr: 0 }, { stdout: 2, stderr: 5, at: 1_700_000_000_123 }];
    strictEqual(await store.append(id, pieces, undefined, places), true);
    strictEqual(await store.append(id, pieces, undefined, places), true, "it may be repeated");
    deepStrictEqual(await store.switches(id, { stdout: 0, stderr: 0 }), places);
    deepStrictEqual(await store.switches(id, { stdout: 2, stderr: 0 }), places.slice(1));
    deepStrictEqual(await store.switches(id, { stdout: 2, stderr: 5 }), []);
  });

  test("keeps head and tail of a long output, byte for byte", async (store) => {
    const random = createRandom(7).below;
    for (const most of [40, 900, 5_000]) {
      const { id } = newJob();
      await store.create(newJob({ id }), 1_000);
      const whole: number[] = [];
      while (whole.length < 20_000) {
        const bytes = Uint8Array.from({ length: 1 + random(most) }, () => random(256));
        await store.append(id, [{ stream: "stdout", offset: whole.length, bytes }]);
        whole.push(...bytes);
        await checkOutput(store, id, Uint8Array.from(whole), random);
      }
    }
  });

  test("keeps both streams separate, and does not repeat stored bytes", async (store) => {
    const { id } = newJob();
    await store.create(newJob({ id }), 10);
    const text = new TextEncoder().encode("0123456789");
    for (const bytes of [text.slice(0, 4), text.slice(0, 7), text.slice(0, 5), text]) {
      await store.append(id, [{ stream: "stderr", offset: 0, bytes }]);
    }
    const job = await store.find(id);
    deepStrictEqual(job?.length, { stdout: 0, stderr: 10 });
    const pieces = await store.read(id, "stderr", { from: 2, to: 9 });
    strictEqual(pieces.map(({ bytes }) => new TextDecoder().decode(bytes)).join(""), "2345678");
    deepStrictEqual(await store.read(id, "stdout", { from: 0, to: 9 }), []);
    await rejects(store.append(id, [{ stream: "stderr", offset: 11, bytes: text }]));
  });

  test("keeps the latest progress, and every change of state", async (store) => {
    const { id } = newJob();
    await store.create(newJob({ id }), 10);
    const updates = Array.from({ length: 100 }, (_, progress) => ({ progress }));
    const entries = updates.map((update) => ({ type: "progress", update }) as const);
    for (let at = 0; at < 15; at++) await store.note(id, entries);
    const journal = await store.journal(id, 0);
    strictEqual(journal.length, 1_001);
    deepStrictEqual([journal[0]?.number, journal[1]?.number, journal.at(-1)?.number], [
      1,
      502,
      1_501,
    ]);
  });

  test("leaves jobs of other servers alone, and passes commands on", async (store, place) => {
    const other = await place.open();
    const { id } = newJob();
    await store.create(newJob({ id }), 10);
    const changed = Promise.withResolvers<void>();
    using _listener = store.onChange((which) => which === undefined && changed.resolve());
    strictEqual(await other.begin(id, 1), false);
    strictEqual(await other.end(id, newEnd()), false);
    deepStrictEqual(await other.loseOrphans(LOST), []);
    await other.send(id, { kind: "stdin", bytes: Uint8Array.of(1, 2) });
    await other.send(id, { kind: "endStdin" });
    await other.send(id, { kind: "cancel" });
    await changed.promise;
    deepStrictEqual(await other.takeCommands(), []);
    deepStrictEqual(await store.takeCommands(), [
      { id, command: { kind: "stdin", bytes: Uint8Array.of(1, 2) } },
      { id, command: { kind: "endStdin" } },
      { id, command: { kind: "cancel" } },
    ]);
    deepStrictEqual(await store.takeCommands(), []);
    await other.close();
  });

  test("rejects input that nobody reads", async (store) => {
    const { id } = newJob();
    await store.create(newJob({ id }), 10);
    const command = { kind: "stdin", bytes: new Uint8Array(600_000) } as const;
    await store.send(id, command);
    await rejects(store.send(id, command), { code: "BUSY" });
    await store.send(id, { kind: "cancel" });
    await rejects(store.send("none", command), { code: "JOB_NOT_FOUND" });
  });
}

async function checkOutput(
  store: JobStore,
  id: string,
  whole: Uint8Array,
  random: (below: number) => number,
): Promise<void> {
  const job: StoredJob | undefined = await store.find(id);
  strictEqual(job?.length.stdout, whole.length);
  const { gap } = toOutputRange(whole.length, KEPT);
  const from = random(whole.length);
  const to = from + random(3_000);
  const pieces = await store.read(id, "stdout", { from, to });
  const kept = [...whole.entries()].filter(([at]) =>
    at >= from && at < to && !(gap !== undefined && at >= gap.from && at < gap.to)
  );
  deepStrictEqual(
    pieces.flatMap(({ offset, bytes }) => [...bytes].map((byte, at) => [offset + at, byte])),
    kept,
  );
  strictEqual(isFinal(job.state), false);
}
