import type { JournalEntry, NumberedEntry, StoredJob } from "../job_store.ts";
import type { SqliteFile } from "./sqlite_file.ts";
import { toEntry } from "../stored_values.ts";

/** How many entries of progress are kept for each job: the latest, and some older ones. */
const MOST_ENTRIES = 1_000;

/** Appends entries to the journal of a job; call it within a transaction. */
export function addEntries(
  file: SqliteFile,
  { seq, events, length }: StoredJob,
  entries: readonly JournalEntry[],
): void {
  for (const [at, entry] of entries.entries()) {
    file.run(
      "INSERT INTO journal (job, number, stdout, stderr, entry) VALUES (?, ?, ?, ?, ?)",
      seq,
      events + at + 1,
      length.stdout,
      length.stderr,
      JSON.stringify(entry),
    );
  }
  const last = events + entries.length;
  file.run("UPDATE job SET events = ? WHERE seq = ?", last, seq);
  if (last <= MOST_ENTRIES) return;
  file.run(
    `DELETE FROM journal WHERE job = ? AND number <= ? AND entry LIKE '{"type":"progress"%'`,
    seq,
    last - MOST_ENTRIES,
  );
}

/** The journal of a job after its first `after` entries. */
export function readJournal(file: SqliteFile, id: string, after: number): NumberedEntry[] {
  const rows = file.all(
    "SELECT number, stdout, stderr, entry FROM journal " +
      "WHERE job = (SELECT seq FROM job WHERE id = ?) AND number > ? ORDER BY number",
    id,
    after,
  );
  return rows.map(({ number, stdout, stderr, entry }) => ({
    number: Number(number),
    length: { stdout: Number(stdout), stderr: Number(stderr) },
    entry: toEntry(String(entry)),
  }));
}
