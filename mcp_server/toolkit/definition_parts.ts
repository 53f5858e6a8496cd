import * as z from "zod";
import type { Limits } from "../shared/limits.ts";
import type { ToolIcon } from "../tool/tool.ts";

const NUL = "\0";

/**
 * A text that reaches a program unchanged: half of a surrogate pair has no UTF-8, so it is
 * rejected.
 */
export function exactText(): z.ZodString {
  return z.string().refine((text) => text.isWellFormed(), {
    error: ({ input }) =>
      `must not contain half of a surrogate pair, as at index ${halfPairAt(String(input))}`,
  });
}

function halfPairAt(text: string): number {
  return text.search(/\p{Surrogate}/u);
}

/** An {@linkcode exactText} for a path, an argument or a variable; a NUL in it is rejected too. */
export function plainText(about?: string): z.ZodString {
  const text = withoutNul(exactText());
  return about === undefined ? text : text.describe(about);
}

function withoutNul(text: z.ZodString): z.ZodString {
  return text.refine((text) => !text.includes(NUL), { error: "must not contain a NUL character" });
}

/** The path of a file, which is not empty; the tool says what else is wrong with it. */
export function pathText(about: string): z.ZodString {
  return z.string().min(1, { error: "must not be empty" }).describe(about);
}

/** A {@linkcode plainText} that is not empty. */
export function filledText(about?: string): z.ZodString {
  const text = withoutNul(exactText().min(1, { error: "must not be empty" }));
  return about === undefined ? text : text.describe(about);
}

/**
 * A whole number of `least` or more, however large: unlike `z.int()`, it takes every integer that
 * the JSON Schema `integer` does, so that a tool, or the server, checks its bound.
 */
export function wholeNumber(least: number, about?: string): z.ZodNumber {
  const number = z.number().refine(Number.isInteger, { error: "must be an integer" }).min(least);
  return number.meta({ type: "integer", ...(about === undefined ? {} : { description: about }) });
}

/** How a command or a script runs, as its caller says. */
export interface CommandKeys {
  /** Working folder. @default {the server's} */
  readonly cwd?: string | undefined;
  /** Variables beside those of the server. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Names of secrets that it gets as variables. */
  readonly secrets?: readonly string[] | undefined;
  /** What it reads; its input is empty without. */
  readonly stdin?: string | undefined;
}

/** The shape of {@linkcode CommandKeys}. */
export type CommandKeysShape = {
  cwd: z.ZodOptional<z.ZodString>;
  env: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodString>>;
  secrets: NamesOfSecrets;
  stdin: z.ZodOptional<z.ZodString>;
};

/** The arguments of a tool that say how a command or a script runs. */
export function commandKeys(): CommandKeysShape {
  const name = filledText().refine((name) => !name.includes("="), {
    error: "must be the name of a variable",
  });
  return {
    cwd: plainText().optional(),
    env: z.record(name, plainText()).optional(),
    secrets: namesOfSecrets(),
    stdin: exactText().optional(),
  };
}

/** Optional names of secrets. */
export type NamesOfSecrets = z.ZodOptional<z.ZodArray<z.ZodString>>;

/** The argument of a tool by which a call names secrets; `extra.secrets.env()` has their values. */
export function namesOfSecrets(about?: string): NamesOfSecrets {
  const names = z.array(z.string()).optional();
  return about === undefined ? names : names.describe(about);
}

/** The options of a call for a command's time-out and kept output. */
export function runLimits(limits: Limits): { timeoutMs: Wish; maxOutputBytes: Wish } {
  const { timeoutMs, maxTimeoutMs, outputBytes, textBytes, maxOutputBytes } = limits;
  const usual = Math.min(outputBytes, textBytes);
  return {
    timeoutMs: optionalLimit(`ms (default ${timeoutMs}, max ${maxTimeoutMs})`),
    maxOutputBytes: optionalLimit(
      `Output bytes kept (default ${usual} over MCP, max ${maxOutputBytes})`,
    ),
  };
}

/** The shape of {@linkcode timeoutChoice}. */
export type TimeoutChoiceShape = { onTimeout: z.ZodOptional<z.ZodEnum<{ job: "job" }>> };

/** The option of a call that lets it go on as a job when its time-out is over. */
export function timeoutChoice(about?: string): TimeoutChoiceShape {
  const choice = z.enum(["job"]).optional();
  return { onTimeout: about === undefined ? choice : choice.describe(about) };
}

/** An optional number. */
export type Wish = z.ZodOptional<z.ZodNumber>;

function optionalLimit(about: string): Wish {
  return wholeNumber(1, about).optional();
}

/** The shape of {@linkcode EXECUTION_RESULT}. */
export type ExecutionShape = {
  stdout: z.ZodString;
  stderr: z.ZodString;
  exitCode: z.ZodOptional<z.ZodInt>;
  timedOut: z.ZodBoolean;
  truncated: z.ZodOptional<z.ZodBoolean>;
  signal: z.ZodOptional<z.ZodString>;
  oomKilled: z.ZodOptional<z.ZodBoolean>;
  backgroundEnded: z.ZodOptional<z.ZodInt>;
};

/** The shape of an `ExecutionResult`, and of a command that goes on, which has no exit code. */
export const EXECUTION_RESULT: ExecutionShape = {
  stdout: z.string(),
  stderr: z.string(),
  exitCode: z.int().optional(),
  timedOut: z.boolean(),
  truncated: z.boolean().optional(),
  signal: z.string().optional(),
  oomKilled: z.boolean().optional(),
  backgroundEnded: z.int().optional(),
};

/**
 * An icon of lines, for the `icons` of a tool: a path of SVG in a square of 24 by 24.
 *
 * @example
 * ```ts
 * import { lineIcon } from "@trestle/mcp-server/toolkit";
 *
 * const [icon] = lineIcon("M4 12h16");
 * console.log(icon?.src.startsWith("data:image/svg+xml,")); // true
 * ```
 */
export function lineIcon(path: string): readonly ToolIcon[] {
  const svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' " +
    `stroke='gray' stroke-width='2'><path d='${path}'/></svg>`;
  const src = `data:image/svg+xml,${encodeURI(svg)}`;
  return [{ src, mimeType: "image/svg+xml", sizes: ["any"] }];
}

const CIRCLE = "M12 3a9 9 0 1 0 .1 0";

/** The icons of the built-in tools, by what they are about. */
export const TOOL_ICONS: Readonly<
  Record<
    | "command"
    | "script"
    | "job"
    | "read"
    | "write"
    | "list"
    | "search"
    | "sql"
    | "ssh"
    | "copy"
    | "info",
    readonly ToolIcon[]
  >
> = Object.freeze({
  command: lineIcon("M4 6l6 6-6 6M12 18h8"),
  script: lineIcon("M8 7l-5 5 5 5M16 7l5 5-5 5M13 5l-2 14"),
  job: lineIcon(`${CIRCLE}M12 7v5l4 2`),
  read: lineIcon("M6 3h8l4 4v14H6zM14 3v4h4"),
  write: lineIcon("M4 20l4-1L19 8l-3-3L5 16z"),
  list: lineIcon("M4 6h16M4 12h16M4 18h16"),
  search: lineIcon("M10 4a6 6 0 1 0 .1 0M15 15l6 6"),
  sql: lineIcon("M4 6c0-4 16-4 16 0v12c0 4-16 4-16 0zM4 6c0 4 16 4 16 0"),
  ssh: lineIcon("M3 5h18v10H3zM8 20h8M12 15v5"),
  copy: lineIcon("M7 4v16M3 8l4-4 4 4M17 4v16M13 16l4 4 4-4"),
  info: lineIcon(`${CIRCLE}M12 11v6M12 7v1`),
});
