import { JobError } from "../tool/job.ts";
import type { AddressedCommand, JobCommand, StoredJob } from "../jobs/job_store.ts";
import type { Queryable } from "./postgres_database.ts";
import { toBytes } from "./postgres_rows.ts";

/** How much input for one job may wait for the server that runs it. */
const MOST_INPUT = 1024 * 1024;

/**
 * Stores a command for the server that runs a job; rejects with `BUSY` if too much input waits for it.
 * Call it within a transaction that holds the row of the job.
 */
export async function sendCommand(
  tx: Queryable,
  { id, seq }: Pick<StoredJob, "id" | "seq">,
  command: JobCommand,
): Promise<void> {
  const bytes = command.kind === "stdin" ? command.bytes : null;
  const [row] = await tx.query(
    "SELECT coalesce(sum(length(bytes)), 0) AS waiting FROM ~command WHERE job = $1",
    [seq],
  );
  const waiting = Number(row?.waiting);
  if (waiting > 0 && waiting + (bytes?.length ?? 0) > MOST_INPUT) {
    throw new JobError(`Cannot write to the job "${id}": 1 MiB waits to be read; try later`, {
      code: "BUSY",
    });
  }
  await tx.query("INSERT INTO ~command (job, kind, bytes) VALUES ($1, $2, $3)", [
    seq,
    command.kind,
    bytes,
  ]);
}

/**
 * Removes and resolves with the commands for the live jobs of a server, in order; the input of the
 * jobs in `full` remains.
 */
export async function takeCommands(
  database: Queryable,
  server: string,
  { full }: { readonly full: ReadonlySet<string> },
): Promise<AddressedCommand[]> {
  const rows = await database.query(
    "WITH taken AS (DELETE FROM ~command USING ~job WHERE job.seq = command.job AND server = $1 " +
      "AND ended IS NULL AND (kind = 'cancel' OR id <> ALL ($2::text[])) " +
      "RETURNING command.seq, id, kind, bytes) SELECT * FROM taken ORDER BY seq",
    [server, [...full]],
  );
  return rows.map(({ id, kind, bytes }) => ({ id: String(id), command: toCommand(kind, bytes) }));
}

/** Whether the server of a job was asked to cancel it. Call it within a transaction. */
export async function isCancelAsked(
  tx: Queryable,
  { seq }: Pick<StoredJob, "seq">,
): Promise<boolean> {
  const sql = "SELECT FROM ~command WHERE job = $1 AND kind = 'cancel' LIMIT 1";
  return (await tx.query(sql, [seq])).length > 0;
}

function toCommand(kind: unknown, bytes: unknown): JobCommand {
  if (kind === "stdin") return { kind, bytes: toBytes(bytes) };
  return { kind: kind === "endStdin" ? kind : "cancel" };
}
