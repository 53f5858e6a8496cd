import type { Queryable } from "./postgres_database.ts";
import { addEntries } from "./postgres_journal.ts";
import type { PostgresJob } from "./postgres_rows.ts";

/** Whether a run is over because its server died, which takes a retry, or because it was stopped. */
export type RunBreak = "died" | "stopped";

/**
 * Makes a queued job of one whose server is gone: its output and progress start anew. Call it within
 * a transaction that holds the row of the job.
 */
export async function queueAgain(
  tx: Queryable,
  { seq, events, attempt }: PostgresJob,
  by: RunBreak,
): Promise<void> {
  await tx.query("DELETE FROM ~output WHERE job = $1", [seq]);
  await tx.query("DELETE FROM ~command WHERE job = $1", [seq]);
  await tx.query(
    `DELETE FROM ~journal WHERE job = $1 AND entry LIKE '{"type":"progress"%'`,
    [seq],
  );
  await tx.query("UPDATE ~journal SET stdout = 0, stderr = 0 WHERE job = $1", [seq]);
  await tx.query(
    "UPDATE ~job SET server = NULL, server_name = NULL, state = 'queued', started = NULL, " +
      "attempt = $2, stdout = 0, stderr = 0 WHERE seq = $1",
    [seq, by === "died" ? attempt + 1 : attempt],
  );
  const length = { stdout: 0, stderr: 0 };
  await addEntries(tx, { seq, events, length }, [{ type: "state", state: "queued" }]);
}
