import type { OutputStream } from "../../tool/command.ts";
import { toOutputRange } from "../../tool/job.ts";
import type { OutputPiece, StoredJob } from "../job_store.ts";
import type { SqliteFile } from "./sqlite_file.ts";
import { STREAMS } from "./sqlite_schema.ts";

/** Pieces are joined up to this size, so that slow output takes few rows. */
const SMALL_BYTES = 4_096;

/** The part of a job that output needs. */
export type OutputOwner = Pick<StoredJob, "seq" | "outputBytes" | "length">;

/**
 * Appends a piece to the log of a stream, and removes what is then in the gap; returns the new
 * length of the stream. Skips bytes that are already stored. Call it within a transaction.
 */
export function appendOutput(file: SqliteFile, owner: OutputOwner, piece: OutputPiece): number {
  const { stream, offset, bytes } = piece;
  const length = owner.length[stream];
  if (offset > length) throw new RangeError(`Cannot append at ${offset}: the end is ${length}`);
  const fresh = bytes.subarray(length - offset);
  if (fresh.length === 0) return length;
  // Rows end where the head ends, so that the gap can be removed by rows.
  const { head, range } = boundsOf(owner, length + fresh.length);
  const inHead = fresh.subarray(0, Math.max(0, head - length));
  addRow(file, { owner, stream, start: length, bytes: inHead, floor: 0 });
  const start = length + inHead.length;
  addRow(file, { owner, stream, start, bytes: fresh.subarray(inHead.length), floor: head });
  if (range.gap !== undefined) {
    file.run(
      "DELETE FROM output WHERE job = ? AND stream = ? AND start >= ? AND start + length(bytes) <= ?",
      owner.seq,
      STREAMS[stream],
      range.gap.from,
      range.gap.to,
    );
  }
  return length + fresh.length;
}

function boundsOf({ outputBytes }: OutputOwner, length: number) {
  const range = toOutputRange(length, outputBytes);
  const { gap } = toOutputRange(outputBytes + 1, outputBytes);
  return { range, head: gap?.from ?? 0 };
}

interface NewRow {
  readonly owner: OutputOwner;
  readonly stream: OutputStream;
  readonly start: number;
  readonly bytes: Uint8Array;
  /** The offset before which rows are not extended. */
  readonly floor: number;
}

function addRow(file: SqliteFile, { owner, stream, start, bytes, floor }: NewRow): void {
  if (bytes.length === 0) return;
  const key = [owner.seq, STREAMS[stream]] as const;
  const last = bytes.length >= SMALL_BYTES ? undefined : file.get(
    "SELECT start, bytes FROM output WHERE job = ? AND stream = ? AND start >= ? " +
      "AND length(bytes) < ? ORDER BY start DESC LIMIT 1",
    ...key,
    Math.max(floor, start - SMALL_BYTES),
    SMALL_BYTES - bytes.length,
  );
  if (last?.bytes instanceof Uint8Array && Number(last.start) + last.bytes.length === start) {
    const joined = new Uint8Array(last.bytes.length + bytes.length);
    joined.set(last.bytes);
    joined.set(bytes, last.bytes.length);
    const where = "WHERE job = ? AND stream = ? AND start = ?";
    file.run(`UPDATE output SET bytes = ? ${where}`, joined, ...key, last.start ?? 0);
  } else {
    const insert = "INSERT INTO output (job, stream, start, bytes) VALUES (?, ?, ?, ?)";
    file.run(insert, ...key, start, bytes);
  }
}

/**
 * Reads the bytes of a stream from `from` up to `to` that are kept; call it within a transaction.
 */
export function readOutput(
  file: SqliteFile,
  owner: OutputOwner,
  { stream, from, to }: { stream: OutputStream; from: number; to: number },
): OutputPiece[] {
  const { gap } = toOutputRange(owner.length[stream], owner.outputBytes);
  const rows = file.all(
    "SELECT start, bytes FROM output WHERE job = ?1 AND stream = ?2 AND start < ?4 AND start >= " +
      "coalesce((SELECT max(start) FROM output WHERE job = ?1 AND stream = ?2 AND start <= ?3), 0) " +
      "ORDER BY start",
    owner.seq,
    STREAMS[stream],
    from,
    to,
  );
  return rows.flatMap(({ start, bytes }) => {
    const first = Number(start);
    if (!(bytes instanceof Uint8Array)) return [];
    // The row in which the gap ends starts before its end.
    const isTail = gap !== undefined && first >= gap.from;
    const offset = Math.max(first, from, isTail ? gap.to : 0);
    const part = bytes.subarray(offset - first, Math.max(0, to - first));
    return part.length === 0 ? [] : [{ stream, offset, bytes: part }];
  });
}
