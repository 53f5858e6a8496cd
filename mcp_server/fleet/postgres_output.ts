import type { OutputStream } from "../tool/command.ts";
import { toOutputRange } from "../tool/job.ts";
import type { OutputPiece, StoredJob } from "../jobs/job_store.ts";
import type { Queryable } from "./postgres_database.ts";
import { toBytes } from "./postgres_rows.ts";
import { STREAMS } from "./postgres_schema.ts";

/** The part of a job that output needs. */
export type OutputOwner = Pick<StoredJob, "seq" | "outputBytes" | "length">;

/**
 * Appends pieces to the logs of the streams, and removes what is then in their gaps; resolves with
 * the new lengths. Rows are never changed; bytes that are already stored are skipped. Call it within a
 * transaction that holds the row of the job.
 */
export async function appendOutput(
  tx: Queryable,
  owner: OutputOwner,
  pieces: readonly OutputPiece[],
): Promise<StoredJob["length"]> {
  const length = { ...owner.length };
  const rows: NewRow[] = [];
  for (const piece of pieces) {
    const { fresh, end } = toRows(owner.outputBytes, length[piece.stream], piece);
    rows.push(...fresh);
    length[piece.stream] = end;
  }
  await addRows(tx, owner, rows);
  for (const stream of new Set(rows.map((row) => row.stream))) {
    const { gap } = toOutputRange(length[stream], owner.outputBytes);
    if (gap !== undefined) await removeGap(tx, { seq: owner.seq, stream, gap });
  }
  return length;
}

interface NewRow {
  readonly stream: OutputStream;
  readonly start: number;
  readonly bytes: Uint8Array;
}

/** The rows of a piece: they end where the head ends, so that the gap can be removed by rows. */
function toRows(
  most: number,
  length: number,
  { stream, offset, bytes }: OutputPiece,
): { fresh: NewRow[]; end: number } {
  if (offset > length) throw new RangeError(`Cannot append at ${offset}: the end is ${length}`);
  const fresh = bytes.subarray(length - offset);
  const head = toOutputRange(most + 1, most).gap?.from ?? 0;
  const inHead = fresh.subarray(0, Math.max(0, head - length));
  const rows = [
    { stream, start: length, bytes: inHead },
    { stream, start: length + inHead.length, bytes: fresh.subarray(inHead.length) },
  ];
  return { fresh: rows.filter((row) => row.bytes.length > 0), end: length + fresh.length };
}

async function addRows(
  tx: Queryable,
  { seq }: OutputOwner,
  rows: readonly NewRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    "INSERT INTO ~output (job, stream, start, bytes) " +
      "SELECT $1, * FROM unnest($2::smallint[], $3::bigint[], $4::bytea[])",
    [
      seq,
      rows.map(({ stream }) => STREAMS[stream]),
      rows.map(({ start }) => start),
      rows.map(({ bytes }) => bytes),
    ],
  );
}

async function removeGap(
  tx: Queryable,
  { seq, stream, gap }: {
    readonly seq: number;
    readonly stream: OutputStream;
    readonly gap: { readonly from: number; readonly to: number };
  },
): Promise<void> {
  await tx.query(
    "DELETE FROM ~output WHERE job = $1 AND stream = $2 AND start >= $3 AND start < $4 " +
      "AND start + length(bytes) <= $4",
    [seq, STREAMS[stream], gap.from, gap.to],
  );
}

/** Reads the bytes of a stream from `from` up to `to` that are kept, by one statement. */
export async function readOutput(
  database: Queryable,
  id: string,
  { stream, from, to }: { stream: OutputStream; from: number; to: number },
): Promise<OutputPiece[]> {
  const length = stream === "stdout" ? "job.stdout" : "job.stderr";
  const rows = await database.query(
    `SELECT ${length} AS length, output_bytes, start, bytes FROM ~job JOIN ~output ` +
      "ON output.job = job.seq WHERE id = $1 AND stream = $2 AND start < $4 AND start >= coalesce(" +
      "(SELECT max(start) FROM ~output WHERE job = job.seq AND stream = $2 AND start <= $3), 0) " +
      "ORDER BY start",
    [id, STREAMS[stream], from, to],
  );
  return rows.flatMap((row) => {
    const { gap } = toOutputRange(Number(row.length), Number(row.output_bytes));
    const first = Number(row.start);
    // The row in which the gap ends starts before its end.
    const isTail = gap !== undefined && first >= gap.from;
    const offset = Math.max(first, from, isTail ? gap.to : 0);
    const bytes = toBytes(row.bytes).subarray(offset - first, Math.max(0, to - first));
    return bytes.length === 0 ? [] : [{ stream, offset, bytes }];
  });
}
