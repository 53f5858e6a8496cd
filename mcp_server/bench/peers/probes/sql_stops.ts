import { setTimeout as delay } from "node:timers/promises";
import type { Contender, Group } from "../servers/contender.ts";
import type { Testbed } from "../servers/testbed.ts";
import { ticksOf } from "./processes.ts";
import { startSession } from "../session.ts";
import { type End, ENDS, GRACE_MS } from "./stops.ts";

/** Whether a query goes on, for each end; `undefined` if there is no such end. */
export type SqlStops = Readonly<Record<End, boolean | undefined>>;

/** What becomes of a long query in an SQLite file. */
export interface SqliteStop {
  /** Whether another call is answered while it runs. */
  readonly answersMeanwhile: boolean;
  /** Whether it goes on after the client has cancelled it. */
  readonly goesOn: boolean;
}

/** Longest time until a query runs, while many servers start at the same time. */
const STARTED_WITHIN_MS = 45_000;
/** Longest time for a server to end a query by itself. */
const OWN_MS = 15_000;
/** Longest time for another call while a query runs. */
const MEANWHILE_MS = 2_000;
/** Processor time, in clock ticks, above which a query counts as running, and in which time. */
const [BUSY_TICKS, WATCHED_MS] = [10, 2_000];
const ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) " +
  "SELECT count(*) FROM n WHERE i < 0";

/** Ends `pg_sleep(60)` in all ways, on all servers of a group at the same time. */
export async function measurePostgresStops(
  { contenders }: Group,
  { postgres }: Testbed,
): Promise<SqlStops[]> {
  const running = async (mark: string) => {
    const count = await postgres.ask(
      `SELECT count(*) FROM pg_stat_activity WHERE state = 'active' ` +
        `AND query LIKE '%${mark}%' AND pid <> pg_backend_pid()`,
    );
    return Number(count) > 0;
  };
  return await Promise.all(contenders.map(async (contender) => {
    const ends = await Promise.all(ENDS.map((end) => stopQuery(contender, end, { running })));
    const [cancel, close, own] = ends;
    return { cancel, close, own };
  }));
}

async function stopQuery(
  contender: Contender,
  end: End,
  { running }: { running: (mark: string) => Promise<boolean> },
): Promise<boolean | undefined> {
  const { ownStop } = contender;
  if (end === "own" && ownStop === undefined) return undefined;
  const program = end === "own" ? ownStop?.program : undefined;
  await using session = await startSession(program ?? contender.program);
  const mark = crypto.randomUUID();
  const query = `SELECT pg_sleep(60), '${mark}' AS mark`;
  const canceller = new AbortController();
  const call = end === "own"
    ? ownStop?.run(session, query)
    : session.call(contender.call(query), { signal: canceller.signal });
  const deadline = performance.now() + STARTED_WITHIN_MS;
  while (!await running(mark)) {
    if (performance.now() > deadline) throw new Error(`Cannot see the query of ${contender.name}`);
    await delay(50);
  }
  if (end === "cancel") canceller.abort();
  else if (end === "close") await session.close();
  else await Promise.race([call, delay(OWN_MS)]);
  await delay(GRACE_MS);
  return await running(mark);
}

/** Cancels an endless query in an SQLite file, on each server of a group. */
export async function measureSqliteStops(
  { contenders, trivial, expected }: Group,
): Promise<SqliteStop[]> {
  return await Promise.all(contenders.map(async (contender) => {
    await using session = await startSession(contender.program);
    const canceller = new AbortController();
    const call = session.call(contender.call(ENDLESS), { signal: canceller.signal });
    await delay(1_000);
    const meanwhile = await session.call(contender.call(trivial), {
      signal: AbortSignal.timeout(MEANWHILE_MS),
    });
    canceller.abort();
    await call;
    await delay(GRACE_MS);
    const before = ticksOf(session.pid);
    await delay(WATCHED_MS);
    return {
      answersMeanwhile: !meanwhile.isError && meanwhile.text.includes(expected),
      goesOn: ticksOf(session.pid) - before > BUSY_TICKS,
    };
  }));
}
