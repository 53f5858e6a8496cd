import { Buffer } from "node:buffer";
import {
  cutCharacter,
  JobError,
  type JobService,
  jsonTextStart,
  type OutputGap,
  type OutputPart,
  type OutputStream,
  withoutCutEnd,
} from "@trestle/mcp-server/toolkit";

/** Which part of a job's output is read. */
interface JobTextRequest {
  /** Which stream. */
  readonly stream: OutputStream;
  /** Offset of the first byte; a negative one counts from the end. */
  readonly offset: number;
  /** Most bytes from the offset on; at least one character is read. */
  readonly limit: number;
}

/** A part of a job's output as text. */
interface JobText {
  /** Whole characters; bytes that are not UTF-8 are U+FFFD. */
  readonly text: string;
  /** Offset of its first byte. */
  readonly offset: number;
  /** The offset to continue at. */
  readonly nextOffset: number;
  /** The length of the stream so far. */
  readonly end: number;
  /** The bytes between the text and `nextOffset`, which are not kept. */
  readonly gap?: OutputGap;
}

/** The longest character of UTF-8, in bytes. */
const LONGEST = 4;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Reads output as whole characters: the text begins with the character that the offset is in, and a
 * character that its end cuts, or that is not complete yet, is left for the next part. Rejects as
 * `JobService.read()` does.
 */
export async function readJobText(
  jobs: JobService,
  id: string,
  { stream, offset, limit }: JobTextRequest,
): Promise<JobText> {
  const part = await jobs.read(id, { stream, offset, limit: Math.max(limit, LONGEST) });
  const lead = await readLead(jobs, id, { stream, part });
  const bytes = Buffer.concat([lead, part.bytes]);
  const kept = wholeCharacters(bytes, { limit: lead.length + limit, isLast: isLast(part) });
  const start = part.offset - lead.length;
  const end = start + kept.length;
  const { gap } = part.range;
  const isAtGap = kept.length > 0 && end === gap?.from;
  return {
    text: decoder.decode(kept),
    offset: start,
    nextOffset: isAtGap ? gap.to : end,
    end: part.range.end,
    ...(isAtGap ? { gap } : {}),
  };
}

/** As `readJobText()`, with so much of the text as takes at most `most` characters as JSON text. */
export async function readFittingJobText(
  jobs: JobService,
  id: string,
  { most, ...request }: JobTextRequest & { readonly most: number },
): Promise<JobText> {
  const whole = await readJobText(jobs, id, request);
  const fitting = jsonTextStart(whole.text, most);
  if (fitting === whole.text) return whole;
  // A character has a byte at least, so as many bytes are no more than these characters.
  const limit = Math.max(1, fitting.length);
  return await readJobText(jobs, id, { ...request, offset: whole.offset, limit });
}

/** The bytes before a part that belong to its first character. */
async function readLead(
  jobs: JobService,
  id: string,
  { stream, part }: { stream: OutputStream; part: OutputPart },
): Promise<Uint8Array> {
  const { offset, bytes, range: { gap } } = part;
  const least = gap !== undefined && offset >= gap.to ? gap.to : 0;
  const from = Math.max(least, offset - LONGEST + 1);
  const mayCut = ((bytes[0] ?? 0) & 0b1100_0000) === 0b1000_0000;
  if (!mayCut || from === offset) return new Uint8Array(0);
  const before = await jobs.read(id, { stream, offset: from, limit: offset - from });
  const around = Buffer.concat([before.bytes, bytes.subarray(0, LONGEST)]);
  const character = cutCharacter(around, before.bytes.length);
  return character === undefined ? new Uint8Array(0) : before.bytes.subarray(character.start);
}

/** Whether no byte will follow the part: the stream ends there, or the gap begins. */
function isLast({ offset, bytes, range, ended }: OutputPart): boolean {
  const end = offset + bytes.length;
  return end === range.gap?.from || (ended && end === range.end);
}

function wholeCharacters(
  bytes: Uint8Array,
  { limit, isLast }: { limit: number; isLast: boolean },
): Uint8Array {
  for (let end = Math.min(limit, bytes.length);; end++) {
    if (end === bytes.length && isLast) return bytes;
    const whole = withoutCutEnd(bytes.subarray(0, end));
    if (whole.length > 0 || end === bytes.length) return whole;
  }
}

/** How much is read at once, in bytes. */
const PART_BYTES = 1024 * 1024;

/**
 * All that is kept of a stream from an offset up to its present end, in parts: at least one, which
 * may be empty. Where the offset of a part is not the end of the one before, bytes are not kept.
 * Other calls go on between the parts. Rejects as `JobService.read()` does for the first part, unless
 * that begins where the gap ends.
 */
export async function* keptOutput(
  jobs: Pick<JobService, "read">,
  id: string,
  { stream, offset, skipsGap = false }: {
    readonly stream: OutputStream;
    readonly offset: number;
    /** Whether an offset in the gap is that of its end. @default {false} */
    readonly skipsGap?: boolean;
  },
): AsyncGenerator<OutputPart, void> {
  const request = { stream, limit: PART_BYTES };
  let part = skipsGap
    ? await readFrom(jobs, id, { ...request, offset })
    : await jobs.read(id, { ...request, offset });
  const { end } = part.range;
  while (true) {
    yield part;
    if (part.bytes.length === 0 || part.nextOffset >= end) return;
    await new Promise((resolve) => setTimeout(resolve));
    part = await readFrom(jobs, id, { ...request, offset: part.nextOffset });
  }
}

/** Reads on where there is output again if the gap has grown over the offset. */
async function readFrom(
  jobs: Pick<JobService, "read">,
  id: string,
  request: Parameters<JobService["read"]>[1],
): Promise<OutputPart> {
  try {
    return await jobs.read(id, request);
  } catch (error) {
    if (!(error instanceof JobError) || error.nextOffset === undefined) throw error;
    return await jobs.read(id, { ...request, offset: error.nextOffset });
  }
}
