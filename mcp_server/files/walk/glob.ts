import { quote, ToolError } from "../../shared/error.ts";
import type { LinePatternCompiler } from "../../shared/line_pattern.ts";

/** Whether a name or a path matches a glob. */
export type GlobTest = (text: string) => boolean;

/** How a glob is read. */
interface GlobOptions {
  /** Whether `{a,b}` is a or b, as in shells. @default {false} */
  readonly braces?: boolean;
}

/** Characters that stand for others, or escape one. */
const SPECIAL = /[*?[\\{}]/;
const SPECIAL_WITHOUT_BRACES = /[*?[\\]/;

/**
 * Reads a glob, in which `*` and `?` match no slash, `[a-z]` and `[!a]` one character, and `**`
 * between slashes any number of folders (gitignore(5)). Returns `undefined` for one that matches
 * nothing, such as one with an open bracket.
 */
export function compileGlob(
  glob: string,
  compile: LinePatternCompiler,
  { braces = false }: GlobOptions = {},
): GlobTest | undefined {
  const special = braces ? SPECIAL : SPECIAL_WITHOUT_BRACES;
  if (!special.test(glob)) return (text) => text === glob;
  const end = glob.slice(1);
  if (glob.startsWith("*") && !special.test(end) && !end.includes("/")) {
    return (text) => text.endsWith(end) && !text.slice(0, text.length - end.length).includes("/");
  }
  const expression = toExpression(glob, braces);
  if (expression === undefined) return undefined;
  const pattern = compile(`\\A(?:${expression})\\z`);
  return (text) => pattern.test(text);
}

/** The files that a caller means. */
export interface FileFilter {
  /** Whether it means a file, by its name and its path below the folder of the call. */
  matches(name: string, path: string): boolean;
}

/**
 * Reads the glob of a caller: without a slash it is about names, else about paths. Throws a
 * `ToolError` for one that matches nothing.
 */
export function parseFileFilter(
  glob: string | undefined,
  compile: LinePatternCompiler,
): FileFilter {
  if (glob === undefined) return { matches: () => true };
  const test = compileGlob(glob.replace(/^\.?\//, ""), compile, { braces: true });
  if (test === undefined) {
    throw new ToolError(`Cannot use the glob ${quote(glob)}: a bracket or a brace is not closed`, {
      code: "BAD_PATTERN",
    });
  }
  return glob.includes("/")
    ? { matches: (_name, path) => test(path) }
    : { matches: (name) => test(name) };
}

/** One part of a glob: stars, a class in brackets, an escape, or any other character. */
const PART =
  /(?<stars>\*+)|\[(?<not>[!^]?)(?<members>\]?(?:\[:\w+:\]|\\.|[^\]\\])*)\]|\\(?<escaped>.)|./gsu;

function toExpression(glob: string, braces: boolean): string | undefined {
  let expression = "";
  let depth = 0;
  let read = 0;
  for (const match of glob.matchAll(PART)) {
    const { 0: part, index, groups: { stars, not, members, escaped } = {} } = match;
    // What `**/` has taken along.
    if (index < read) continue;
    read = index + part.length;
    if (stars !== undefined) {
      const folders = anyFolders(glob, index, stars);
      expression += folders.expression;
      read += folders.taken;
    } else if (members !== undefined) {
      const set = toClass(members, not !== "");
      if (set === undefined) return undefined;
      expression += set;
    } else if (escaped !== undefined) expression += escape(escaped);
    else if (part === "?") expression += "[^/]";
    else if (part === "[" || part === "\\") return undefined;
    else if (braces && part === "{") [expression, depth] = [`${expression}(?:`, depth + 1];
    else if (braces && part === "}" && depth > 0) {
      [expression, depth] = [`${expression})`, depth - 1];
    } else if (braces && part === "," && depth > 0) expression += "|";
    else expression += escape(part);
  }
  return depth === 0 ? expression : undefined;
}

/** What stars mean: any text of a name, or, alone between slashes, any number of folders. */
function anyFolders(
  glob: string,
  index: number,
  stars: string,
): { expression: string; taken: number } {
  const next = glob[index + stars.length];
  const isAlone = stars.length > 1 && (index === 0 || glob[index - 1] === "/") &&
    (next === undefined || next === "/");
  if (!isAlone) return { expression: "[^/]*", taken: 0 };
  return next === "/"
    ? { expression: "(?:(?s:.*)/)?", taken: 1 }
    : { expression: "(?s:.*)", taken: 0 };
}

/** A member of a class: a class of POSIX, or a range of one character or two. */
const MEMBER =
  /\[:(?<posix>\w+):\]|(?:\\(?<from1>.)|(?<from2>.))(?:-(?:\\(?<to1>.)|(?<to2>[^\\])))?/gsu;
const POSIX = new Set([
  ..."alnum alpha blank cntrl digit graph lower print punct space upper xdigit".split(" "),
]);

/** A class, which never has a slash; `undefined` for one that is unknown. */
function toClass(members: string, isNegated: boolean): string | undefined {
  let inside = "";
  for (const { groups = {} } of members.matchAll(MEMBER)) {
    const { posix, from1, from2, to1, to2 } = groups;
    if (posix !== undefined) {
      if (!POSIX.has(posix)) return undefined;
      inside += `[:${posix}:]`;
      continue;
    }
    const from = from1 ?? from2 ?? "";
    const to = to1 ?? to2 ?? from;
    // A range that ends before it starts is empty.
    if (from <= to) inside += withoutSlash(from, to);
  }
  if (isNegated) return `[^/${inside}]`;
  // Without members it matches nothing, and the rest does not matter.
  return inside === "" ? "[^\\x{0}-\\x{10ffff}]" : `[${inside}]`;
}

function withoutSlash(from: string, to: string): string {
  if (from > "/" || to < "/") return `${escape(from)}-${escape(to)}`;
  const before = from < "/" ? `${escape(from)}-.` : "";
  const after = to > "/" ? `0-${escape(to)}` : "";
  return before + after;
}

/** A character as RE2 takes it literally, in a class as well. */
function escape(character: string): string {
  return /[\p{L}\p{N}_]/u.test(character)
    ? character
    : `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
