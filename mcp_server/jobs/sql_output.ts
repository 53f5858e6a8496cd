import type { OutputStream } from "../tool/command.ts";
import { toOutputRange } from "../tool/job.ts";
import type { MarkedPlace, OutputPiece, OutputPlace, StoredJob } from "./job_store.ts";
import {
  type Dialect,
  Inserts,
  type Row,
  sql,
  type Statement,
  STREAMS,
  toBytes,
  unread,
  type Work,
} from "./sql.ts";

/** Where a database joins pieces, it does up to this size, so that slow output takes few rows. */
const SMALL_BYTES = 4_096;

/** Bytes as a row of the log of a stream. */
interface OutputRow {
  readonly stream: OutputStream;
  readonly start: number;
  readonly bytes: Uint8Array;
  /** The offset before which rows are not extended. */
  readonly floor: number;
}

/**
 * Appends pieces to the logs of a job's streams, and removes what is then in their gaps; bytes that
 * are already stored are skipped. Returns the new lengths.
 */
export function* appendOutput(
  { seq, length: before, outputBytes }: StoredJob,
  pieces: readonly OutputPiece[],
  switches: readonly MarkedPlace[],
  { joinsOutput }: Dialect,
): Work<StoredJob["length"]> {
  const length = { ...before };
  const rows: OutputRow[] = [];
  for (const piece of pieces) {
    const fresh = toRows(outputBytes, length[piece.stream], piece);
    for (const { stream, bytes } of fresh) length[stream] += bytes.length;
    rows.push(...fresh);
  }
  const changes: Statement[] = [
    ["UPDATE ~job SET stdout = $2, stderr = $3 WHERE seq = $1", seq, length.stdout, length.stderr],
  ];
  changes.push(
    ...SWITCHES.of(switches.map(({ stdout, stderr, at = null }) => [seq, stdout, stderr, at])),
  );
  if (joinsOutput) { for (const row of rows) yield* addJoined(seq, row); }
  else changes.push(...OUTPUT.of(rows.map((row) => toValues(seq, row))));
  yield unread(changes);
  for (const stream of new Set(rows.map((row) => row.stream))) {
    const { gap } = toOutputRange(length[stream], outputBytes);
    if (gap === undefined) continue;
    yield unread([[
      "DELETE FROM ~output WHERE job = $1 AND stream = $2 AND start >= $3 AND start < $4 " +
      "AND start + length(bytes) <= $4",
      seq,
      STREAMS[stream],
      gap.from,
      gap.to,
    ]]);
  }
  return length;
}

const SWITCHES = new Inserts("~switch", ["job", "stdout", "stderr", "at"], "DO NOTHING");
const OUTPUT = new Inserts("~output", ["job", "stream", "start", "bytes"]);

function toValues(seq: number, { stream, start, bytes }: OutputRow): unknown[] {
  return [seq, STREAMS[stream], start, bytes];
}

/** The rows of a piece: they end where the head ends, so that the gap can be removed by rows. */
function toRows(
  most: number,
  length: number,
  { stream, offset, bytes }: OutputPiece,
): OutputRow[] {
  if (offset > length) throw new RangeError(`Cannot append at ${offset}: the end is ${length}`);
  const fresh = bytes.subarray(length - offset);
  const head = toOutputRange(most + 1, most).gap?.from ?? 0;
  const inHead = fresh.subarray(0, Math.max(0, head - length));
  const start = length + inHead.length;
  return [
    { stream, start: length, bytes: inHead, floor: 0 },
    { stream, start, bytes: fresh.subarray(inHead.length), floor: head },
  ].filter((row) => row.bytes.length > 0);
}

/** Adds a row, or extends the one before it if both are small. */
function* addJoined(seq: number, row: OutputRow): Work<void> {
  const { stream, start, bytes, floor } = row;
  const [last] = bytes.length >= SMALL_BYTES ? [] : yield sql(
    "SELECT start, bytes FROM ~output WHERE job = $1 AND stream = $2 AND start >= $3 " +
      "AND length(bytes) < $4 ORDER BY start DESC LIMIT 1",
    seq,
    STREAMS[stream],
    Math.max(floor, start - SMALL_BYTES),
    SMALL_BYTES - bytes.length,
  );
  const former = last === undefined ? new Uint8Array(0) : toBytes(last.bytes);
  if (last === undefined || Number(last.start) + former.length !== start) {
    yield OUTPUT.of([toValues(seq, row)]);
    return;
  }
  const joined = new Uint8Array(former.length + bytes.length);
  joined.set(former);
  joined.set(bytes, former.length);
  yield sql(
    "UPDATE ~output SET bytes = $4 WHERE job = $1 AND stream = $2 AND start = $3",
    seq,
    STREAMS[stream],
    last.start,
    joined,
  );
}

/** Finds the bytes of a stream from `from` up to `to` that are kept. */
export function selectOutput(
  seq: number,
  stream: OutputStream,
  { from, to }: { readonly from: number; readonly to: number },
): Statement {
  return [
    `SELECT job.${stream} AS length, output_bytes, start, bytes FROM ~job JOIN ~output ` +
    "ON output.job = job.seq WHERE seq = $1 AND stream = $2 AND start < $4 AND start >= coalesce(" +
    "(SELECT max(start) FROM ~output WHERE job = $1 AND stream = $2 AND start <= $3), 0) " +
    "ORDER BY start",
    seq,
    STREAMS[stream],
    from,
    to,
  ];
}

/** Finds the places that are marked after a place. */
export function selectSwitches(id: string, { stdout, stderr }: OutputPlace): Statement {
  return [
    "SELECT stdout, stderr, at FROM ~switch WHERE job = (SELECT seq FROM ~job WHERE id = $1) " +
    "AND (stdout > $2 OR stderr > $3) ORDER BY stdout, stderr LIMIT 20000",
    id,
    stdout,
    stderr,
  ];
}

/** Reads a row of `selectSwitches()`. */
export function toPlace({ stdout, stderr, at }: Row): MarkedPlace {
  const place = { stdout: Number(stdout), stderr: Number(stderr) };
  return at === null ? place : { ...place, at: Number(at) };
}

/** Reads the rows of `selectOutput()`. */
export function toPieces(
  rows: readonly Row[],
  stream: OutputStream,
  { from, to }: { readonly from: number; readonly to: number },
): OutputPiece[] {
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
