import * as z from "zod";
import type { Limits } from "../domain/limits.ts";

/** A text for a path, an argument or a variable; a NUL in it is refused. */
export function plainText(about?: string): z.ZodString {
  const text = z.string().refine((value) => !value.includes("\0"), {
    error: "must not contain a NUL character",
  });
  return about === undefined ? text : text.describe(about);
}

/** What a call may say of how long a command runs and how much of its output is kept. */
export function runLimits(limits: Limits): { timeoutMs: Wish; maxOutputBytes: Wish } {
  const { timeoutMs, maxTimeoutMs, outputBytes, maxOutputBytes } = limits;
  return {
    timeoutMs: wish(`ms (default ${timeoutMs}, max ${maxTimeoutMs})`),
    maxOutputBytes: wish(
      `Output bytes kept (default ${outputBytes}, max ${maxOutputBytes})`,
    ),
  };
}

/** A number that a call may leave out; a larger one than the limit is clamped. */
export type Wish = z.ZodOptional<z.ZodInt>;

function wish(about: string): Wish {
  return z.int().min(1).optional().describe(about);
}

/** The shape of {@linkcode EXECUTION_RESULT}. */
export type ExecutionShape = {
  stdout: z.ZodString;
  stderr: z.ZodString;
  exitCode: z.ZodInt;
  timedOut: z.ZodBoolean;
  truncated: z.ZodOptional<z.ZodBoolean>;
  signal: z.ZodOptional<z.ZodString>;
  backgroundEnded: z.ZodOptional<z.ZodInt>;
};

/** The schema of an `ExecutionResult`. */
export const EXECUTION_RESULT: ExecutionShape = {
  stdout: z.string(),
  stderr: z.string(),
  exitCode: z.int().describe("128 + signal number when a signal ended it"),
  timedOut: z.boolean(),
  truncated: z.boolean().optional(),
  signal: z.string().optional(),
  backgroundEnded: z.int().optional()
    .describe("Ended for keeping the output open"),
};
