import { inTurns } from "../../test_support/bench/in_turns.ts";
import type { Row } from "../../test_support/bench/table.ts";
import { PostgresFleet } from "../fleet/postgres_fleet.ts";
import type { StoreQuery } from "../jobs/job_store.ts";
import { newEnd, newJob } from "../testing/job_store_suite.ts";
import { type Postgres, startPostgres } from "../testing/postgres.ts";

/** How much a full store has: jobs that have ended, over some days, with 10 KiB of output each. */
const FULL = { jobs: 100_000, days: 7, bytes: 10 * 1024 };
const CALLERS = 10;
const CHUNK_BYTES = 64 * 1024;
const ROUNDS = 200;
/** More than there are, so that none makes room. */
const MOST_JOBS = 1_000_000;
const IDENTITY = { name: "web-1", labels: [], version: "1.2.3", machine: "here" };

/** Compares a store of a fleet with 100,000 jobs and 1 GB of output with an empty one. */
export async function benchFullFleet(): Promise<Row[]> {
  await using postgres = await startPostgres();
  const open = (schema: string) =>
    PostgresFleet.open({ url: postgres.url(), schema }, {
      identity: IDENTITY,
      load: () => ({ runs: 0, queue: 0 }),
    });
  const [full, empty] = [await open("filled"), await open("empty")];
  await fill(postgres, "filled");
  const works = await Promise.all([full, empty].map(worksOn));
  const rows: Row[] = [];
  for (const [what, ofFull] of Object.entries(works[0] ?? {})) {
    const ofEmpty = works[1]?.[what] ?? ofFull;
    const [filled = NaN, plain = NaN] = await inTurns([ofFull, ofEmpty], ROUNDS);
    rows.push({
      what: `${what} of a fleet with 100,000 finished jobs and 1 GB / with none`,
      value: `${filled.toFixed(2)} ms`,
      ratio: filled / plain,
      target: "<= 1.5",
    });
  }
  rows.push(await expiryOf(postgres, full));
  for (const store of [full, empty]) await store.close();
  return rows;
}

/** Adds jobs of the last days; text that hardly compresses is their output. */
async function fill({ ask }: Postgres, schema: string): Promise<void> {
  const today = Math.floor(Date.now() / 86_400_000);
  for (let day = today - FULL.days + 1; day < today; day++) {
    for (const table of ["output", "journal", "outcome"]) {
      await ask(
        `CREATE TABLE ${schema}.${table}_${day} PARTITION OF ${schema}.${table} ` +
          `FOR VALUES FROM (${day}000000000) TO (${day + 1}000000000)`,
      );
    }
  }
  await ask(
    `CREATE TABLE ${schema}.texts AS SELECT k, string_agg(md5(random()::text), '') AS text ` +
      `FROM generate_series(0, 99) AS k, generate_series(1, ${FULL.bytes / 32}) GROUP BY k`,
  );
  const seq = `(${today}::bigint - n % ${FULL.days}) * 1000000000 + 500000000 + n`;
  const all = `FROM generate_series(1, ${FULL.jobs}) AS n`;
  await ask(
    `INSERT INTO ${schema}.job (seq, id, caller, tool, state, stdin, created, started, ended, ` +
      "expires, output_bytes, stdout, events, server_name) " +
      `SELECT ${seq}, gen_random_uuid(), 'caller-' || n % ${CALLERS}, 'bash-script', ` +
      "(ARRAY['completed', 'failed', 'cancelled', 'lost'])[1 + greatest(0, n / 10 % 100 - 96)], " +
      `false, 1, 1, 1 + n, 9e15::bigint, 16777216, ${FULL.bytes}, 3, 'web-1' ${all}`,
  );
  await ask(
    `INSERT INTO ${schema}.output SELECT ${seq}, 1, 0, convert_to(text, 'UTF8') ${all} ` +
      `JOIN ${schema}.texts ON k = n % 100`,
  );
  await ask(
    `INSERT INTO ${schema}.journal SELECT ${seq}, k, 0, 0, '{"type":"state","state":"running"}' ` +
      `${all}, generate_series(1, 3) AS k`,
  );
  await ask(
    `INSERT INTO ${schema}.outcome SELECT ${seq}, '{"ok":true,"result":{"content":[]}}' ${all}`,
  );
  await ask("VACUUM ANALYZE");
}

/** What is measured, each on a store of its own. */
async function worksOn(store: PostgresFleet): Promise<Record<string, () => Promise<void>>> {
  const list = (query: Partial<StoreQuery>) => async () =>
    void await store.list({ caller: "caller-3", limit: 51, now: Date.now(), ...query });
  // Both stores have as many of them.
  const ids: string[] = [];
  for (let at = 0; at < 60; at++) {
    const { id } = newJob();
    ids.push(id);
    await store.create(newJob({ id, caller: "caller-3" }), MOST_JOBS);
    await store.begin(id, 1);
    await store.append(id, [{ stream: "stdout", offset: 0, bytes: new Uint8Array(1_000) }]);
    await store.end(id, newEnd({ state: at % 2 === 0 ? "completed" : "failed" }));
  }
  const live = newJob({ outputBytes: 64 * 1024 * 1024 });
  await store.create(live, MOST_JOBS);
  await store.begin(live.id, 1);
  const bytes = new Uint8Array(CHUNK_BYTES).fill(0x61);
  let offset = 0;
  let at = 0;
  const next = () => ids[at++ % ids.length] ?? "";
  return {
    "list of 50 jobs of a caller": list({}),
    "list of 50 jobs of all callers": list({ caller: undefined }),
    "list of the completed jobs of a caller": list({ state: "completed", limit: 21 }),
    "list of the failed jobs of a caller": list({ state: "failed", limit: 21 }),
    "list of the running jobs of all callers": list({ caller: undefined, state: "running" }),
    "one job and its outcome": async () => {
      const id = next();
      await store.find(id);
      await store.outcome(id);
    },
    "1 kB of the output of a job": async () =>
      void await store.read(next(), "stdout", { from: 0, to: 1_000 }),
    "64 KiB of output appended": async () => {
      await store.append(live.id, [{ stream: "stdout", offset, bytes }]);
      offset += bytes.length;
    },
    "a job from its creation to its end": async () => {
      const { id } = newJob();
      await store.create(newJob({ id, caller: "caller-5" }), MOST_JOBS);
      await store.begin(id, 1);
      await store.end(id, newEnd());
    },
  };
}

/** How long it takes until all jobs have expired, and 1 GB is given back. */
async function expiryOf({ ask }: Postgres, store: PostgresFleet): Promise<Row> {
  await ask("UPDATE filled.job SET expires = 1 WHERE ended IS NOT NULL");
  const size = () => ask("SELECT pg_database_size('postgres') / 1000000");
  const before = await size();
  const startedAt = performance.now();
  while (await store.removeExpired(Date.now()) > 0);
  await store.tidy();
  const took = performance.now() - startedAt;
  return {
    what: "100,000 jobs that have expired removed, and the bytes of their days given back",
    value: `${(took / 1_000).toFixed(1)} s, ${before} to ${await size()} MB`,
  };
}
