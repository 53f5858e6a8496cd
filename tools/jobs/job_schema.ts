import { exactText, type Limits, UriTemplate, wholeNumber, z } from "@trestle/mcp-server/toolkit";

/** The schema of a `Job` in a tool's output: what every client needs; its other keys are open. */
export const JOB = z.looseObject({
  id: z.string(),
  state: z.string(),
});

/** The URIs of what jobs have written. */
export const JOB_OUTPUT = new UriTemplate(
  "trestle://jobs/{id}/{stream}{?offset,limit,tail,search}",
);

/** The shape of {@linkcode jobWaitArguments}. */
type JobWaitShape = {
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

/** The shape of what such a tool answers: a `WaitedJob`. */
export const WAITED_JOB = {
  job: JOB,
  stdout: z.string(),
  stderr: z.string(),
  next: z.looseObject({}),
  matched: z.boolean().optional(),
};

/** The size of an answer's own keys. */
const KEYS = 512;
/** How many characters one byte takes as JSON text at most. */
const ESCAPED = 6;

/**
 * How many bytes of output an answer may contain of each of its streams, whatever the bytes and what
 * is beside them.
 */
export function jobTextLimit(
  { maxResultBytes }: Pick<Limits, "maxResultBytes">,
  { beside = {}, streams = 1 }: { readonly beside?: object; readonly streams?: number } = {},
): number {
  const room = maxResultBytes - KEYS - JSON.stringify(beside).length;
  return Math.max(1, Math.floor(room / streams / ESCAPED));
}
