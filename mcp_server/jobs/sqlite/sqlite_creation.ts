import type { NewJob } from "../job_store.ts";
import type { SqliteFile } from "./sqlite_file.ts";

/** Inserts a queued job with the first entry of its journal; call it within a transaction. */
export function insertJob(file: SqliteFile, job: NewJob, server: string): void {
  file.run(
    "INSERT INTO job (id, server, caller, tool, state, stdin, created, output_bytes, events, " +
      "idempotency_key, digest) VALUES (?, ?, ?, ?, 'queued', ?, ?, ?, 1, ?, ?)",
    job.id,
    server,
    job.caller,
    job.tool,
    Number(job.stdin),
    job.createdAt,
    job.outputBytes,
    job.idempotency?.key ?? null,
    job.idempotency?.digest ?? null,
  );
  file.run(
    "INSERT INTO journal (job, number, stdout, stderr, entry) " +
      "VALUES ((SELECT seq FROM job WHERE id = ?), 1, 0, 0, ?)",
    job.id,
    JSON.stringify({ type: "state", state: "queued" }),
  );
}

/** Whether the caller of a new job may have one more live job; call it within a transaction. */
export function mayHaveMore(file: SqliteFile, { caller, maxOfCaller }: NewJob): boolean {
  if (maxOfCaller === undefined) return true;
  const sql = "SELECT count(*) AS live FROM job WHERE ended IS NULL AND caller = ?";
  return Number(file.get(sql, caller)?.live) < maxOfCaller;
}

/**
 * The ended jobs in the order in which they are removed: the oldest of the caller that has most, which
 * is that of the new job if others have as many.
 */
const REMOVED_FIRST = "SELECT seq FROM job WHERE ended IS NOT NULL ORDER BY " +
  "row_number() OVER (PARTITION BY caller ORDER BY ended DESC) + (caller = ?) DESC, ended LIMIT ?";

/**
 * Removes ended jobs until one more of a caller may be kept, those first that ended first of the
 * caller that has most; `false` if too many are live. Call it within a transaction.
 */
export function makeRoom(file: SqliteFile, { caller }: NewJob, maxJobs: number): boolean {
  const kept = Number(file.get("SELECT count(*) AS kept FROM job")?.kept);
  const surplus = kept - maxJobs + 1;
  if (surplus <= 0) return true;
  const sql = `DELETE FROM job WHERE seq IN (${REMOVED_FIRST})`;
  return file.run(sql, caller, surplus) === surplus;
}
