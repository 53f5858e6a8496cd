import type { JobEnd, JournalEntry, StoredJob } from "../jobs/job_store.ts";
import { toEndingText, toErrorText } from "../jobs/stored_values.ts";
import type { Queryable } from "./postgres_database.ts";

/**
 * Ends a job, in the same step as its last journal entry; its arguments are kept no longer. Call it
 * within a transaction that holds the row of the job.
 */
export async function endJob(
  tx: Queryable,
  { seq }: Pick<StoredJob, "seq">,
  { state, endedAt, expiresAt, outcome }: JobEnd,
): Promise<void> {
  const entry: JournalEntry = { type: "state", state };
  await tx.query(
    "WITH ended AS (UPDATE ~job SET state = $2, ended = $3, expires = $4, error = $5, " +
      "ending = $8, events = events + 1 WHERE seq = $1 RETURNING seq, events, stdout, stderr), " +
      "outcomes AS (INSERT INTO ~outcome (job, outcome) SELECT seq, $6 FROM ended), " +
      "commands AS (DELETE FROM ~command WHERE job = $1), " +
      "calls AS (DELETE FROM ~call WHERE job = $1) " +
      "INSERT INTO ~journal (job, number, stdout, stderr, entry) " +
      "SELECT seq, events, stdout, stderr, $7 FROM ended",
    [
      seq,
      state,
      endedAt,
      expiresAt,
      toErrorText(outcome),
      JSON.stringify(outcome),
      JSON.stringify(entry),
      toEndingText(outcome),
    ],
  );
}
