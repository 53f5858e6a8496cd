import { JobError } from "../../tool/job.ts";
import type { Creation, JobEnd, NewJob, StoredJob, StoreQuery } from "../job_store.ts";
import type { CallOutcome } from "../../tool/result.ts";
import { toCommonFields, toEndingText, toErrorText, toOutcome } from "../stored_values.ts";
import type { Row, SqliteFile } from "./sqlite_file.ts";
import { addEntries } from "./sqlite_journal.ts";

/** The columns of a job, without its result. */
const COLUMNS = "seq, id, server, caller, tool, state, stdin, created, started, ended, " +
  "expires, output_bytes, stdout, stderr, events, error, ending";

/** Finds a job by its id. */
export function findJob(file: SqliteFile, id: string): StoredJob | undefined {
  const row = file.get(`SELECT ${COLUMNS} FROM job WHERE id = ?`, id);
  return row === undefined ? undefined : toStoredJob(row);
}

/** Finds a job that was there a moment ago. */
export function getJob(file: SqliteFile, id: string): StoredJob {
  const job = findJob(file, id);
  if (job !== undefined) return job;
  throw new JobError(`Cannot find the job "${id}": it was removed`, { code: "JOB_NOT_FOUND" });
}

/** The live jobs of a server. */
export function liveJobsOf(file: SqliteFile, server: string): StoredJob[] {
  const select = `SELECT ${COLUMNS} FROM job WHERE server = ? AND ended IS NULL`;
  return file.all(select, server).map(toStoredJob);
}

/** The jobs that a query asks for, the newest first. */
export function listJobs(
  file: SqliteFile,
  { caller, state, tool, limit, before, now }: StoreQuery,
): StoredJob[] {
  const conditions: [string, string | number][] = [
    ...(caller === undefined ? [] : [["caller = ?", caller] satisfies [string, string]]),
    ["(expires IS NULL OR expires > ?)", now],
    ...(state === undefined ? [] : [["state = ?", state] satisfies [string, string]]),
    ...(tool === undefined ? [] : [["tool = ?", tool] satisfies [string, string]]),
    ...(before === undefined ? [] : [["seq < ?", before] satisfies [string, number]]),
  ];
  const where = conditions.map(([condition]) => condition).join(" AND ");
  const sql = `SELECT ${COLUMNS} FROM job WHERE ${where} ORDER BY seq DESC LIMIT ?`;
  return file.all(sql, ...conditions.map(([, value]) => value), limit).map(toStoredJob);
}

/**
 * Finds the job that an idempotency key has started before, and removes it if it has expired; call
 * it within a transaction.
 */
export function findByKey(
  file: SqliteFile,
  { caller, idempotency, createdAt }: NewJob,
): Creation | undefined {
  if (idempotency === undefined) return undefined;
  const row = file.get(
    `SELECT ${COLUMNS}, digest FROM job WHERE caller = ? AND idempotency_key = ?`,
    caller,
    idempotency.key,
  );
  if (row === undefined) return undefined;
  const job = toStoredJob(row);
  if ((job.expiresAt ?? Infinity) > createdAt) {
    return { kind: "exists", job, sameRequest: row.digest === idempotency.digest };
  }
  file.run("DELETE FROM job WHERE seq = ?", job.seq);
  return undefined;
}

/** How a job ended, if it has. */
export function findOutcome(file: SqliteFile, id: string): CallOutcome | undefined {
  const sql = "SELECT outcome FROM outcome WHERE job = (SELECT seq FROM job WHERE id = ?)";
  const row = file.get(sql, id);
  return row === undefined ? undefined : toOutcome(String(row.outcome));
}

/** Ends a job, whose outcome is JSON text already; call it within a transaction. */
export function endJob(
  file: SqliteFile,
  job: StoredJob,
  { state, endedAt, expiresAt, outcome, text }: JobEnd & { readonly text: string },
): void {
  file.run(
    "UPDATE job SET state = ?, ended = ?, expires = ?, error = ?, ending = ? WHERE seq = ?",
    state,
    endedAt,
    expiresAt,
    toErrorText(outcome),
    toEndingText(outcome),
    job.seq,
  );
  file.run("INSERT INTO outcome (job, outcome) VALUES (?, ?)", job.seq, text);
  file.run("DELETE FROM command WHERE job = ?", job.seq);
  addEntries(file, job, [{ type: "state", state }]);
}

function toStoredJob(row: Row): StoredJob {
  return { ...toCommonFields(row), server: String(row.server), stdin: row.stdin === 1 };
}
