import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { newEnd, newJob } from "../testing/job_store_suite.ts";
import { startPostgres } from "../testing/postgres.ts";
import { PostgresFleet } from "./postgres_fleet.ts";

const postgres = await startPostgres();
globalThis.addEventListener("unload", () => postgres.kill());

const identity = { name: "web-1", labels: [], version: "1.2.3", machine: "here" };
const load = () => ({ runs: 0, queue: 0 });

function open(schema: string): Promise<PostgresFleet> {
  return PostgresFleet.open({ url: postgres.url(), schema }, { identity, load });
}

/** Stores a job with output that has ended. */
async function store(fleet: PostgresFleet, expiresAt: number, maxJobs = 10): Promise<string> {
  const job = newJob();
  await fleet.create(job, maxJobs);
  await fleet.begin(job.id, 1);
  await fleet.append(job.id, [{ stream: "stdout", offset: 0, bytes: new Uint8Array(500) }]);
  await fleet.end(job.id, newEnd({ expiresAt }));
  return job.id;
}

/** Moves a job and what it left to another day. */
async function moveTo(day: number, id: string, schema: string): Promise<void> {
  const seq = day * 1_000_000_000 + 7;
  const moved = ["output", "journal", "outcome"].map((table) =>
    `UPDATE ${schema}.${table} SET job = ${seq} WHERE job = (SELECT seq FROM ${schema}.job ` +
    `WHERE id = '${id}')`
  );
  await postgres.ask(
    [...moved, `UPDATE ${schema}.job SET seq = ${seq} WHERE id = '${id}'`].join("; "),
  );
}

const bytesIn = (schema: string) =>
  postgres.ask(`SELECT coalesce(sum(length(bytes)), 0) FROM ${schema}.output`);
const partitionsOf = async (schema: string) => {
  const names = "SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid " +
    `WHERE inhparent = '${schema}.output'::regclass ORDER BY length(relname), relname`;
  return (await postgres.ask(names)).split("\n");
};

Deno.test("what has expired is hidden at once, and its bytes go with the partition of their day", async () => {
  const schema = "expiring";
  const first = await open(schema);
  const [expired, kept] = [await store(first, 100), await store(first, Date.now() + 600_000)];
  await moveTo(0, expired, schema);
  strictEqual(await first.removeExpired(200), 1);
  deepStrictEqual([
    await first.find(expired),
    await first.outcome(expired),
    await first.read(expired, "stdout", { from: 0, to: 500 }),
    (await first.list({ caller: "default", limit: 10, now: 200 })).map(({ id }) => id),
  ], [undefined, undefined, [], [kept]]);
  strictEqual(await bytesIn(schema), "1000");
  await first.tidy();
  strictEqual(await bytesIn(schema), "500");
  const days = await partitionsOf(schema);
  const today = Math.floor(Date.now() / 86_400_000);
  strictEqual(days.includes("output_0"), false);
  strictEqual(days.includes(`output_${today + 1}`), true);
  await first.close();
});

Deno.test("the partition of a day stays until none of its jobs is kept, and while it is read", async () => {
  const schema = "reading";
  const first = await open(schema);
  const id = await store(first, Date.now() + 600_000);
  await moveTo(0, id, schema);
  await first.tidy();
  strictEqual((await first.read(id, "stdout", { from: 0, to: 500 })).length > 0, true);
  await first.close();
  await postgres.ask(`UPDATE ${schema}.job SET expires = 100`);
  const second = await open(schema);
  await second.removeExpired(Date.now());
  // As pg_dump does, which keeps everybody waiting who drops a table.
  const reader = postgres.ask(
    `BEGIN; SELECT count(*) FROM ${schema}.output; SELECT pg_sleep(600); COMMIT`,
  ).catch(() => {});
  await postgres.until(
    "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'",
    "1",
  );
  await second.tidy();
  strictEqual((await partitionsOf(schema)).includes("output_0"), true);
  await postgres.ask(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'",
  );
  await reader;
  await second.close();
  const third = await open(schema);
  await third.tidy();
  strictEqual((await partitionsOf(schema)).includes("output_0"), false);
  await third.close();
});

Deno.test("a server that starts waits while another one changes the days", async () => {
  const schema = "starting";
  await (await open(schema)).close();
  const other = postgres.ask(
    `BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('"${schema}".output', 2)); ` +
      "SELECT pg_sleep(600); COMMIT",
  ).catch(() => {});
  await postgres.until(
    "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'",
    "1",
  );
  const starting = open(schema);
  starting.catch(() => {});
  // Longer than the wait for a table may be.
  await postgres.until(
    "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'advisory' " +
      "AND now() - query_start > interval '1500 ms'",
    "1",
  );
  await postgres.ask(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'",
  );
  await other;
  await (await starting).close();
});

Deno.test("what is deleted, or makes room, leaves no bytes", async () => {
  const schema = "deleting";
  const fleet = await open(schema);
  const id = await store(fleet, Date.now() + 600_000);
  strictEqual(await fleet.remove(id), true);
  strictEqual(await bytesIn(schema), "0");
  await store(fleet, Date.now() + 600_000, 1);
  await store(fleet, Date.now() + 600_000, 1);
  strictEqual(await bytesIn(schema), "500");
  strictEqual(await postgres.ask(`SELECT count(*) FROM ${schema}.journal`), "3");
  await fleet.close();
});
