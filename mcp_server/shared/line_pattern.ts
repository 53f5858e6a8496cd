import type { RE2JS } from "re2js";
import { messageOf, quote, ToolError } from "./error.ts";
import { loadPackage } from "./environment.ts";

/** A compiled regular expression of RE2, which takes linear time for every line. */
export interface LinePattern {
  /** Whether a line matches. */
  test(line: string): boolean;
  /** Where the first match in a line starts, or -1. */
  search(line: string): number;
  /** An ASCII text that is in each line that matches, if there is one. */
  readonly literal: string | undefined;
}

/** How a regular expression is compiled. */
export interface LinePatternOptions {
  /** Whether `a` matches `A`. @default {false} */
  readonly ignoreCase?: boolean | undefined;
}

/** Throws a `ToolError` with the code `BAD_PATTERN` for a wrong expression, or a large one. */
export type LinePatternCompiler = (pattern: string, options?: LinePatternOptions) => LinePattern;

/**
 * A line takes a time that grows with its length and with the number of instructions of the
 * expression, and nothing else runs meanwhile. So many are enough for each pattern without
 * repetitions, and for `.{0,1000}`.
 */
const MOST_INSTRUCTIONS = 3_000;
/** An expression whose estimate is so much larger is not compiled, which would take seconds. */
const ESTIMATE_FACTOR = 4;

/**
 * Loads what compiles regular expressions of at most 3,000 instructions; on first use it takes some
 * milliseconds.
 *
 * @example
 * ```ts
 * import { loadLinePatterns } from "@trestle/mcp-server/toolkit";
 *
 * const compile = await loadLinePatterns();
 * console.log(compile("err(or)?").test("no error")); // true
 * ```
 */
export async function loadLinePatterns(): Promise<LinePatternCompiler> {
  const { RE2JS } = await loadPackage("re2js", () => import("re2js"));
  return (pattern, { ignoreCase = false } = {}) => {
    const estimate = patternSize(pattern);
    if (estimate > ESTIMATE_FACTOR * MOST_INSTRUCTIONS) throw tooLarge(pattern, estimate);
    const regex = compileWith(RE2JS, pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    const size = regex.programSize();
    if (size > MOST_INSTRUCTIONS) throw tooLarge(pattern, size);
    return {
      test: (line) => regex.test(line),
      search: (line) => startOf(regex, line),
      literal: ignoreCase ? undefined : literalOf(pattern),
    };
  };
}

function startOf(regex: RE2JS, line: string): number {
  const matcher = regex.matcher(line);
  return matcher.find() ? matcher.start() : -1;
}

function compileWith(
  compiler: Pick<typeof RE2JS, "compile">,
  pattern: string,
  flags: number,
): RE2JS {
  try {
    return compiler.compile(pattern, flags);
  } catch (cause) {
    const state = `${messageOf(cause)}; the syntax is that of RE2, ` +
      "without lookaround and backreferences";
    throw badPattern(pattern, state, cause);
  }
}

function tooLarge(pattern: string, size: number): ToolError {
  const state = `with its repetitions written out it has about ${size} instructions, ` +
    `${MOST_INSTRUCTIONS} at most; repeat less`;
  return badPattern(pattern, state);
}

function badPattern(pattern: string, state: string, cause?: unknown): ToolError {
  return new ToolError(`Cannot search for ${quote(pattern, 1_000)}: ${state}`, {
    code: "BAD_PATTERN",
    cause,
  });
}

/** A literal text, a class, an escape, a repetition or any other character of a pattern of RE2. */
const TOKEN =
  /\\Q.*?(?:\\E|$)|\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gsu;

/**
 * About how many instructions the program of a regular expression of RE2 has, counted without
 * compiling it: repetitions such as `{100}` are written out. Never much less than there are.
 */
export function patternSize(pattern: string): number {
  const outer: number[] = [];
  let size = 0;
  /** The size of what a repetition would repeat. */
  let last = 0;
  for (const [token, least, most] of pattern.matchAll(TOKEN)) {
    if (token === "(") {
      outer.push(size);
      size = last = 0;
    } else if (token === ")") {
      last = size + 2;
      size = (outer.pop() ?? 0) + last;
    } else if (least !== undefined) {
      const times = Math.max(Number(least) + 1, Number(most ?? 0));
      // What may be absent takes an instruction more.
      size += (last + 1) * times - last;
      last = (last + 1) * times;
    } else {
      size += token.length > 2 && token.startsWith("\\Q") ? token.length : 1;
      last = 1;
    }
  }
  return size;
}

/** What makes a part of a pattern an alternative, or changes what the letters behind it mean. */
const BRANCHES = /[|()]|\\[QxpP\d]/;
/** A character that means itself, or is escaped. */
const LITERAL = /^(?:[\w \-:;,"'<>=!@#%&~`/]|\\[^\w\s])$/;
/** It makes the character before it optional, or repeats it. */
const REPEATS = /^[*?+{]/;

/** The longest text that is in each line that matches a pattern without groups; of ASCII only. */
export function literalOf(pattern: string): string | undefined {
  if (BRANCHES.test(pattern.replaceAll(/\\[()|\\]/g, ""))) return undefined;
  const texts = [""];
  const tokens = Array.from(pattern.matchAll(TOKEN), ([token]) => token);
  for (const [at, token] of tokens.entries()) {
    const isLiteral = LITERAL.test(token) && !REPEATS.test(tokens[at + 1] ?? "");
    if (isLiteral) texts.push((texts.pop() ?? "") + token.slice(-1));
    else texts.push("");
  }
  const longest = texts.reduce((one, other) => other.length > one.length ? other : one);
  return longest.length > 1 ? longest : undefined;
}
