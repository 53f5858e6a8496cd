/** A line of a config that is neither empty nor a comment. */
export interface ConfigLine {
  /** In lower case. */
  readonly keyword: string;
  /** What follows the keyword, as it is written. */
  readonly text: string;
  /** The words of it, without quotes and escapes; a comment ends them. */
  readonly words: readonly string[];
  /** Those of `Match`. */
  readonly criteria?: readonly Criterion[];
}

/** One criterion of `Match` (ssh_config(5)). */
export interface Criterion {
  /** In lower case. */
  readonly name: string;
  readonly negated: boolean;
  /** A list of patterns, separated by commas; empty for criteria without any. */
  readonly patterns: string;
}

/** OpenSSH reads no further than a NUL character. */
// deno-lint-ignore no-control-regex -- NUL is what ends a line
const NUL = /\x00.*/s;
const TRAILING = " \t\r\f";
const ESCAPABLE = `'"\\`;

/** The lines of a config, or the end of a sentence about the file: which line is wrong, and why. */
export type ParsedLines =
  | { readonly ok: true; readonly lines: readonly ConfigLine[] }
  | { readonly ok: false; readonly fault: string };

/** Splits a config into its lines as OpenSSH's client does. */
export function parseConfigLines(text: string): ParsedLines {
  const lines: ConfigLine[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    const parsed = parseLine(withoutTrailing(line.replace(NUL, "")));
    if (typeof parsed === "string") return { ok: false, fault: `line ${at + 1} ${parsed}` };
    if (parsed !== undefined) lines.push(parsed);
  }
  return { ok: true, lines };
}

/** A regular expression would take quadratic time for white space within a line. */
function withoutTrailing(line: string): string {
  let end = line.length;
  while (end > 0 && TRAILING.includes(line.charAt(end - 1))) end--;
  return line.slice(0, end);
}

/** A line, what is wrong with it, or `undefined` if it says nothing. */
function parseLine(line: string): ConfigLine | string | undefined {
  const [first, rest] = takeWord(line) ?? [];
  // Leading white space comes before an empty word.
  const [name, text = ""] = first === "" ? takeWord(rest ?? "") ?? [] : [first, rest];
  if (name === undefined || name === "" || name.startsWith("#")) return undefined;
  if (text === "") return `has no value after "${name}"`;
  const words = splitWords(text);
  if (words === undefined) return "has a quote without an end";
  const keyword = name.toLowerCase();
  if (keyword !== "match") return { keyword, text, words };
  const criteria = parseCriteria(text);
  return typeof criteria === "string" ? criteria : { keyword, text, words, criteria };
}

/** The words of a text, or `undefined` if a quote has no end. */
function splitWords(text: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    const next = text.charAt(at + 1);
    const isGap = quote === "" && (character === " " || character === "\t");
    if (isGap) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (word === undefined && character === "#") {
      return words;
    } else if (character === "\\" && next !== "" && isEscapable(next, quote)) {
      word = `${word ?? ""}${next}`;
      at++;
    } else if (quote === "" && (character === '"' || character === "'")) {
      word ??= "";
      quote = character;
    } else if (character === quote) {
      quote = "";
    } else {
      word = `${word ?? ""}${character}`;
    }
  }
  if (word !== undefined) words.push(word);
  return quote === "" ? words : undefined;
}

function isEscapable(character: string, quote: string): boolean {
  return ESCAPABLE.includes(character) || (quote === "" && character === " ");
}

/** Criteria without patterns. */
const ALONE = new Set(["all", "canonical", "final"]);

/** Reads what follows `Match`; returns the end of a sentence about the line if it is not valid. */
function parseCriteria(text: string): readonly Criterion[] | string {
  const criteria: Criterion[] = [];
  for (let next = takeWord(text); next !== undefined;) {
    const [word, rest] = next;
    if (word === "" || word.startsWith("#")) break;
    const negated = word.startsWith("!");
    const name = word.slice(negated ? 1 : 0).toLowerCase();
    if (ALONE.has(name)) {
      criteria.push({ name, negated, patterns: "" });
      next = takeWord(rest);
      continue;
    }
    const [patterns = "", after = ""] = takeWord(rest) ?? [];
    if (patterns === "" || patterns.startsWith("#")) return `has no value after "${word}"`;
    criteria.push({ name, negated, patterns });
    next = takeWord(after);
  }
  return criteria.length === 0 ? "has no criteria" : criteria;
}

/** The first word, and what follows it; the separators may contain one `=`. */
const WORD = /^([^ \t\r="]*)[ \t\r]*=?[ \t\r]*(.*)$/s;
const QUOTED = /^([^ \t\r="]*)"([^"]*)"[ \t\r]*(.*)$/s;

/**
 * The first word of a text, of which only a part may be quoted, and what follows it. Returns
 * `undefined` if the text is empty, or a quote has no end.
 */
export function takeWord(text: string): readonly [word: string, rest: string] | undefined {
  if (text === "") return undefined;
  const [, before, quoted, after = ""] = QUOTED.exec(text) ?? [];
  if (before !== undefined) return [`${before}${quoted}`, after];
  if (/^[^ \t\r="]*"/.test(text)) return undefined;
  const [, word = "", rest = ""] = WORD.exec(text) ?? [];
  return [word, rest];
}
