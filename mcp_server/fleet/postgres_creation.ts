import type { Creation, NewJob } from "../jobs/job_store.ts";
import type { Queryable } from "./postgres_database.ts";
import { addEntries } from "./postgres_journal.ts";
import { JOB_COLUMNS, type PostgresJob, toPostgresJob, toStoredJob } from "./postgres_rows.ts";

/** Who runs a new job: a server, or whichever takes it from a queue. */
export interface Placement {
  readonly server?: { readonly id: string; readonly name: string };
  readonly route?: string;
  readonly retries?: number;
}

/**
 * The job that the caller has started with the same key, unless it has expired; call it within a
 * transaction.
 */
export async function findByKey(
  tx: Queryable,
  { caller, idempotency, createdAt }: NewJob,
): Promise<Creation | undefined> {
  if (idempotency === undefined) return undefined;
  const [row] = await tx.query(
    `SELECT ${JOB_COLUMNS}, digest FROM ~job WHERE caller = $1 AND idempotency_key = $2`,
    [caller, idempotency.key],
  );
  if (row === undefined) return undefined;
  const job = toPostgresJob(row);
  if ((job.expiresAt ?? Infinity) > createdAt) {
    return {
      kind: "exists",
      job: toStoredJob(job),
      sameRequest: row.digest === idempotency.digest,
    };
  }
  await tx.query("DELETE FROM ~job WHERE seq = $1", [job.seq]);
  return undefined;
}

/**
 * Whether the caller of a new job may have one more live job; all servers count its jobs one after
 * another. Call it within a transaction.
 */
export async function mayHaveMore(
  tx: Queryable,
  { caller, maxOfCaller }: NewJob,
): Promise<boolean> {
  if (maxOfCaller === undefined) return true;
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 1))", [caller]);
  const [row] = await tx.query(
    "SELECT count(*) AS live FROM ~job WHERE ended IS NULL AND caller = $1",
    [caller],
  );
  return Number(row?.live) < maxOfCaller;
}

/**
 * The ended jobs, and how many of the same caller ended no earlier; for the caller of the new job one
 * more.
 */
const RANKED = "SELECT seq, (caller = $1)::int + " +
  "row_number() OVER (PARTITION BY caller ORDER BY ended DESC) AS rank " +
  "FROM ~job WHERE ended IS NOT NULL";

/**
 * Removes ended jobs until one more of a caller may be kept, those first that ended first of the
 * caller that has most; `false` if too many are live. Servers that create jobs at the same moment may
 * keep a few more. Call it within a transaction.
 */
export async function makeRoom(
  tx: Queryable,
  { caller }: NewJob,
  maxJobs: number,
): Promise<boolean> {
  const [row] = await tx.query("SELECT count(*) AS kept FROM ~job");
  const surplus = Number(row?.kept) - maxJobs + 1;
  if (surplus <= 0) return true;
  const removed = await tx.query(
    `DELETE FROM ~job WHERE seq IN (SELECT seq FROM ~job JOIN (${RANKED}) AS ranked USING (seq) ` +
      "ORDER BY rank DESC, ended LIMIT $2 FOR UPDATE OF job SKIP LOCKED) RETURNING 1",
    [caller, surplus],
  );
  return removed.length === surplus;
}

/**
 * Inserts a queued job with the first entry of its journal; `undefined` if another transaction has
 * just used its key. Call it within a transaction.
 */
export async function insertJob(
  tx: Queryable,
  job: NewJob,
  { server, route, retries = 0 }: Placement,
): Promise<PostgresJob | undefined> {
  const [row] = await tx.query(
    "INSERT INTO ~job (id, server, server_name, route, retries, caller, tool, state, stdin, " +
      "created, output_bytes, idempotency_key, digest) " +
      "VALUES ($1, $2, $3, $4, $5, $6, $7, 'queued', $8, $9, $10, $11, $12) " +
      `ON CONFLICT (caller, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING ` +
      `RETURNING ${JOB_COLUMNS}`,
    [
      job.id,
      server?.id ?? null,
      server?.name ?? null,
      route ?? null,
      retries,
      job.caller,
      job.tool,
      job.stdin,
      job.createdAt,
      job.outputBytes,
      job.idempotency?.key ?? null,
      job.idempotency?.digest ?? null,
    ],
  );
  if (row === undefined) return undefined;
  const created = toPostgresJob(row);
  await addEntries(tx, created, [{ type: "state", state: "queued" }]);
  return { ...created, events: 1 };
}
