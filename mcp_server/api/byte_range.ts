import type { OutputRange } from "../tool/job.ts";

/** Bytes of a stream: from `from` up to, but not including, `to`. */
export interface Bytes {
  readonly from: number;
  readonly to: number;
}

/** Which bytes of a stream are requested. */
export type Selection =
  /** All that are kept. */
  | { readonly kind: "whole"; readonly parts: readonly Bytes[] }
  /** One range of them. */
  | { readonly kind: "part"; readonly bytes: Bytes }
  /** None that are there; `firstOffset` is the next one where there are, or will be, bytes. */
  | { readonly kind: "none"; readonly firstOffset: number; readonly reason: string };

const UNIT = /^bytes\s*=/i;
const FROM = /^(\d+)-(\d*)$/;
const SUFFIX = /^-(\d+)$/;

/**
 * Reads a `Range` header (RFC 9110, section 14.2) for what is kept of a stream. Other units and
 * several ranges at once are ignored, as the RFC allows; a range that runs into the gap ends there.
 */
export function selectBytes(header: string | null, range: OutputRange): Selection {
  const { start, end, gap } = range;
  const whole: Selection = {
    kind: "whole",
    parts: gap === undefined
      ? [{ from: start, to: end }]
      : [{ from: start, to: gap.from }, { from: gap.to, to: end }],
  };
  if (header === null || !UNIT.test(header) || header.includes(",")) return whole;
  const wanted = header.slice(header.indexOf("=") + 1).trim();
  const [, length] = SUFFIX.exec(wanted) ?? [];
  if (length !== undefined) return selectSuffix(Number(length), range);
  const [, first, last = ""] = FROM.exec(wanted) ?? [];
  const to = last === "" ? Infinity : Number(last) + 1;
  if (first === undefined || to <= Number(first)) return none(start, NO_RANGE);
  return selectFrom(Number(first), to, range);
}

const NO_RANGE = "it is not a range; send bytes=first-last, bytes=first- or bytes=-length";

/** The last bytes; those before the gap are not among them. */
function selectSuffix(length: number, { start, end, gap }: OutputRange): Selection {
  const from = Math.max(end - length, gap?.to ?? start);
  return from < end ? part(from, end) : none(end, "there are no such bytes");
}

function selectFrom(from: number, to: number, { start, end, gap }: OutputRange): Selection {
  if (from < start) return none(start, `the output begins at ${start}`);
  if (from >= end) return none(end, `the output ends at ${end}`);
  if (gap === undefined || from >= gap.to) return part(from, Math.min(to, end));
  if (from < gap.from) return part(from, Math.min(to, gap.from));
  return none(gap.to, `the bytes from ${gap.from} to ${gap.to - 1} are not kept`);
}

function part(from: number, to: number): Selection {
  return { kind: "part", bytes: { from, to } };
}

function none(firstOffset: number, reason: string): Selection {
  return { kind: "none", firstOffset, reason };
}
