import type { Postgres } from "../../../testing/postgres.ts";
import type { Contender } from "../servers/contender.ts";
import { startSession } from "../session.ts";

/** What a server that may only read must not do, each with a query that shows whether it was done. */
const WRITES: readonly (readonly [sql: string, trace: string])[] = [
  ["CREATE TABLE bench_new (a int)", "SELECT count(*) FROM pg_class WHERE relname = 'bench_new'"],
  ["WITH x AS (INSERT INTO bench_t VALUES (1) RETURNING a) SELECT * FROM x", tableHas(1)],
  ["SELECT 1; COMMIT; INSERT INTO bench_t VALUES (2)", tableHas(2)],
  ["EXPLAIN ANALYZE INSERT INTO bench_t VALUES (3)", tableHas(3)],
  ["SELECT bench_insert(4)", tableHas(4)],
  ["DO $$ BEGIN INSERT INTO bench_t VALUES (5); END $$", tableHas(5)],
  ["SELECT set_config('transaction_read_only', 'off', false), bench_insert(6)", tableHas(6)],
  ["SELECT setval('bench_s', 7)", "SELECT count(*) FROM bench_s WHERE last_value = 7"],
];

const SETUP = `
CREATE TABLE bench_t (a int);
CREATE SEQUENCE bench_s;
CREATE FUNCTION bench_insert(int) RETURNS void LANGUAGE sql AS 'INSERT INTO bench_t VALUES ($1)'`;
const TEARDOWN = `
DROP TABLE IF EXISTS bench_new;
DROP FUNCTION bench_insert;
DROP SEQUENCE bench_s;
DROP TABLE bench_t`;

/** How many writes were tried. */
export const WRITES_TRIED = WRITES.length;

/** Tries to write through a server that may only read; resolves with the writes that took effect. */
export async function measureReadOnly(contender: Contender, postgres: Postgres): Promise<string[]> {
  await postgres.ask(SETUP);
  await using session = await startSession(contender.program);
  const done: string[] = [];
  for (const [sql, trace] of WRITES) {
    await session.call(contender.call(sql));
    if (Number(await postgres.ask(trace)) > 0) done.push(sql);
  }
  await postgres.ask(TEARDOWN);
  return done;
}

function tableHas(value: number): string {
  return `SELECT count(*) FROM bench_t WHERE a = ${value}`;
}
