import * as z from "zod";
import type { Limits } from "../../domain/limits.ts";

/** The shape of {@linkcode JOB}: what every client needs; the other keys of a `Job` are open. */
export type JobShape = z.ZodObject<{ id: z.ZodString; state: z.ZodString }, z.core.$loose>;

/** The schema of a `Job` in a tool's output. */
export const JOB: JobShape = z.looseObject({
  id: z.string(),
  state: z.string(),
});

/** What else is in an answer that contains output. */
export interface AnswerParts {
  /** What the answer contains beside it. @default {nothing} */
  readonly beside?: object;
  /** How many texts of output it contains. @default {1} */
  readonly streams?: number;
}

/** The size of an answer's own keys. */
const KEYS = 512;
/** How many characters one byte takes as JSON text at most. */
const ESCAPED = 6;

/** How many bytes of output an answer may contain of each stream, whatever the bytes are. */
export function jobTextLimit(
  { maxResultBytes }: Pick<Limits, "maxResultBytes">,
  { beside = {}, streams = 1 }: AnswerParts = {},
): number {
  const room = maxResultBytes - KEYS - JSON.stringify(beside).length;
  return Math.max(1, Math.floor(room / streams / ESCAPED));
}
