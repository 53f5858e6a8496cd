import type { JobEnd, StoredJob } from "../../../domain/job_store.ts";
import { toErrorText } from "../stored_values.ts";
import type { Queryable } from "./postgres_database.ts";
import { addEntries } from "./postgres_journal.ts";

/**
 * Ends a job, in the same step as its last journal entry; its arguments are kept no longer. Call it
 * within a transaction that holds the row of the job.
 */
export async function endJob(
  tx: Queryable,
  job: Pick<StoredJob, "seq" | "events" | "length">,
  { state, endedAt, expiresAt, outcome }: JobEnd,
): Promise<void> {
  const text = JSON.stringify(outcome);
  await tx.query(
    "UPDATE ~job SET state = $2, ended = $3, expires = $4, error = $5 WHERE seq = $1",
    [job.seq, state, endedAt, expiresAt, toErrorText(outcome)],
  );
  await tx.query("INSERT INTO ~outcome (job, outcome) VALUES ($1, $2)", [job.seq, text]);
  await tx.query("DELETE FROM ~command WHERE job = $1", [job.seq]);
  await tx.query("DELETE FROM ~call WHERE job = $1", [job.seq]);
  await addEntries(tx, job, [{ type: "state", state }]);
}
