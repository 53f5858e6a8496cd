import { JobError } from "../../tool/job.ts";
import type { AddressedCommand, JobCommand, StoredJob } from "../job_store.ts";
import type { SqliteFile } from "./sqlite_file.ts";

/** How much input for one job may wait for the server that runs it. */
const MOST_INPUT = 1024 * 1024;

/**
 * Stores a command for the server that runs a job; throws `BUSY` if too much input waits for it.
 */
export function sendCommand(
  file: SqliteFile,
  { id, seq }: StoredJob,
  command: JobCommand,
): void {
  const bytes = command.kind === "stdin" ? command.bytes : null;
  file.growingTransaction(() => {
    const waiting = Number(
      file.get("SELECT sum(length(bytes)) AS bytes FROM command WHERE job = ?", seq)?.bytes ?? 0,
    );
    if (waiting > 0 && waiting + (bytes?.length ?? 0) > MOST_INPUT) {
      throw new JobError(`Cannot write to the job "${id}": 1 MiB waits to be read; try later`, {
        code: "BUSY",
      });
    }
    file.run("INSERT INTO command (job, kind, bytes) VALUES (?, ?, ?)", seq, command.kind, bytes);
  });
}

/**
 * Removes and returns the commands for the jobs of a server, in order; the input of the jobs in
 * `full` remains.
 */
export function takeCommands(
  file: SqliteFile,
  server: string,
  { full }: { readonly full: ReadonlySet<string> },
): AddressedCommand[] {
  const rows = file.all(
    "SELECT command.seq, id, kind, bytes FROM command JOIN job ON job.seq = command.job " +
      "WHERE server = ? ORDER BY command.seq",
    server,
  ).filter(({ id, kind }) => kind === "cancel" || !full.has(String(id)));
  if (rows.length === 0) return [];
  file.lastTransaction(() => {
    for (const { seq } of rows) file.run("DELETE FROM command WHERE seq = ?", Number(seq));
  });
  return rows.map(({ id, kind, bytes }) => ({ id: String(id), command: toCommand(kind, bytes) }));
}

function toCommand(kind: unknown, bytes: unknown): JobCommand {
  if (kind === "stdin" && bytes instanceof Uint8Array) return { kind, bytes };
  return { kind: kind === "endStdin" ? kind : "cancel" };
}
