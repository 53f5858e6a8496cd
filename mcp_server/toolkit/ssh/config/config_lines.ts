/** A line of a config that is neither empty nor a comment. */
export interface ConfigLine {
  /** In lower case. */
  readonly keyword: string;
  /** What follows the keyword, as it is written. */
  readonly text: string;
  /** The words of it, without quotes and escapes; a comment ends them. */
  readonly words: readonly string[];
}

/** The first word, and what follows it; the separators may contain one `=`. */
const WORD = /^([^ \t\r="]*)[ \t\r]*=?[ \t\r]*(.*)$/s;
const QUOTED = /^([^ \t\r="]*)"([^"]*)"[ \t\r]*(.*)$/s;
/** OpenSSH reads no further than a NUL character. */
// deno-lint-ignore no-control-regex -- NUL is what ends a line
const NUL = /\x00.*/s;
const TRAILING = /[ \t\r\f]+$/;
const ESCAPABLE = `'"\\`;

/**
 * Splits a config into its lines as OpenSSH's client does. Throws if one has no value, or a quote
 * without an end; the message is the end of a sentence about the file.
 */
export function parseConfigLines(text: string): ConfigLine[] {
  return text.split("\n").flatMap((line, at) => {
    const parsed = parseLine(line.replace(NUL, "").replace(TRAILING, ""));
    if (typeof parsed === "string") throw new SyntaxError(`line ${at + 1} ${parsed}`);
    return parsed === undefined ? [] : [parsed];
  });
}

/** A line, what is wrong with it, or `undefined` if it says nothing. */
function parseLine(line: string): ConfigLine | string | undefined {
  const [first, rest] = takeWord(line) ?? [];
  // Leading white space comes before an empty word.
  const [name, text = ""] = first === "" ? takeWord(rest ?? "") ?? [] : [first, rest];
  if (name === undefined || name === "" || name.startsWith("#")) return undefined;
  const words = splitWords(text);
  if (text === "") return `has no value after "${name}"`;
  return words === undefined
    ? "has a quote without an end"
    : { keyword: name.toLowerCase(), text, words };
}

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
