import { isFinal, JobError, type OutputRange, toOutputRange } from "../tool/job.ts";
import type { OutputPart, OutputRequest } from "../tool/job_service.ts";
import type { JobStore, OutputPiece, StoredJob } from "./job_store.ts";

const BYTES = { usual: 64 * 1024, most: 1024 * 1024 };

/** Reads a part of a stream, up to the gap at most, as `JobService.read()` promises. */
export async function readPart(
  store: JobStore,
  job: StoredJob,
  { stream, offset: wanted = 0, limit = BYTES.usual }: OutputRequest,
): Promise<OutputPart> {
  const range = toOutputRange(job.length[stream], job.outputBytes);
  const offset = toOffset(wanted, range);
  const to = Math.min(range.end, offset + Math.min(Math.max(limit, 0), BYTES.most));
  const bytes = joinPieces(await store.read(job.id, stream, { from: offset, to }), offset);
  const end = offset + bytes.length;
  const nextOffset = end === range.gap?.from ? range.gap.to : end;
  return { offset, bytes, nextOffset, range, ended: isFinal(job.state) };
}

/** A valid offset of a stream; one that counts from the end is after the gap. */
function toOffset(wanted: number, { end, gap }: OutputRange): number {
  const offset = wanted < 0 ? Math.max(end + wanted, gap?.to ?? 0) : wanted;
  const isInGap = gap !== undefined && offset >= gap.from && offset < gap.to;
  if (offset <= end && !isInGap) return offset;
  const nextOffset = isInGap ? gap.to : end;
  const state = isInGap ? "these bytes are not kept" : `the output ends at ${end}`;
  throw new JobError(
    `Cannot read from offset ${offset}: ${state}; the next offset is ${nextOffset}`,
    { code: "BAD_OFFSET", nextOffset },
  );
}

/** The bytes from an offset up to the first gap. */
export function joinPieces(pieces: readonly OutputPiece[], from: number): Uint8Array<ArrayBuffer> {
  let end = from;
  const whole = pieces.filter(({ offset, bytes }) => {
    if (offset !== end) return false;
    end += bytes.length;
    return true;
  });
  const result = new Uint8Array(end - from);
  for (const { offset, bytes } of whole) result.set(bytes, offset - from);
  return result;
}
