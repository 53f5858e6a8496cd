import * as z from "zod";
import type { Limits } from "../../shared/limits.ts";
import { exactText, wholeNumber } from "../execution_schema.ts";

/** The shape of {@linkcode JOB}: what every client needs; the other keys of a `Job` are open. */
export type JobShape = z.ZodObject<{ id: z.ZodString; state: z.ZodString }, z.core.$loose>;

/** The schema of a `Job` in a tool's output. */
export const JOB: JobShape = z.looseObject({
  id: z.string(),
  state: z.string(),
});

/** The shape of {@linkcode jobWaitArguments}. */
export type JobWaitShape = {
  from: z.ZodOptional<z.ZodObject<{ stdout: z.ZodNumber; stderr: z.ZodNumber }>>;
  until: z.ZodOptional<z.ZodString>;
  seconds: z.ZodOptional<z.ZodNumber>;
};

const MOST_UNTIL = 1_000;

/** The arguments of a tool that waits for a job, with what its schema says about them. */
export function jobWaitArguments(about: { from: string; seconds: string }): JobWaitShape {
  return {
    from: z.object({ stdout: wholeNumber(0), stderr: wholeNumber(0) }).optional()
      .describe(about.from),
    until: exactText().min(1).max(MOST_UNTIL).optional(),
    seconds: wholeNumber(0, about.seconds).optional(),
  };
}

/** The shape of {@linkcode WAITED_JOB}. */
export type WaitedJobShape = {
  job: JobShape;
  stdout: z.ZodString;
  stderr: z.ZodString;
  next: z.ZodObject<{ stdout: z.ZodInt; stderr: z.ZodInt }, z.core.$loose>;
  matched: z.ZodOptional<z.ZodBoolean>;
};

/** The shape of what such a tool answers: a `WaitedJob`. */
export const WAITED_JOB: WaitedJobShape = {
  job: JOB,
  stdout: z.string(),
  stderr: z.string(),
  next: z.looseObject({ stdout: z.int(), stderr: z.int() }),
  matched: z.boolean().optional(),
};

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
