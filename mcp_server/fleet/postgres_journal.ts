import type { JournalEntry, NumberedEntry, StoredJob } from "../jobs/job_store.ts";
import { toEntry } from "../jobs/stored_values.ts";
import type { Queryable } from "./postgres_database.ts";

/** How many entries of progress are kept for each job: the latest, and some older ones. */
const MOST_ENTRIES = 1_000;

/** Appends entries to the journal of a job; call it within a transaction. */
export async function addEntries(
  tx: Queryable,
  { seq, events, length }: Pick<StoredJob, "seq" | "events" | "length">,
  entries: readonly JournalEntry[],
): Promise<void> {
  await tx.query(
    "INSERT INTO ~journal (job, number, stdout, stderr, entry) " +
      "SELECT $1, $2 + at, $3, $4, entry FROM unnest($5::text[]) WITH ORDINALITY AS u (entry, at)",
    [seq, events, length.stdout, length.stderr, entries.map((entry) => JSON.stringify(entry))],
  );
  const last = events + entries.length;
  await tx.query("UPDATE ~job SET events = $1 WHERE seq = $2", [last, seq]);
  if (last <= MOST_ENTRIES) return;
  await tx.query(
    `DELETE FROM ~journal WHERE job = $1 AND number <= $2 AND entry LIKE '{"type":"progress"%'`,
    [seq, last - MOST_ENTRIES],
  );
}

/** The journal of a job after its first `after` entries. */
export async function readJournal(
  database: Queryable,
  id: string,
  after: number,
): Promise<NumberedEntry[]> {
  const rows = await database.query(
    "SELECT number, stdout, stderr, entry FROM ~journal " +
      "WHERE job = (SELECT seq FROM ~job WHERE id = $1) AND number > $2 ORDER BY number",
    [id, after],
  );
  return rows.map(({ number, stdout, stderr, entry }) => ({
    number: Number(number),
    length: { stdout: Number(stdout), stderr: Number(stderr) },
    entry: toEntry(String(entry)),
  }));
}
