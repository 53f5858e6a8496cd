/** A pattern for ripgrep. */
interface RipgrepPattern {
  /** In the syntax of Rust's `regex`, for bytes. */
  readonly text: string;
  /** What lines with one of these bytes must not have, as a class of that syntax. */
  readonly except: string;
  /** Whether it looks at the start or end of a line or word, so that a line must not be cut. */
  readonly hasEdges: boolean;
}

/** One part of a class: a class of POSIX, a class in an escape, or a character, perhaps escaped. */
const MEMBER = /\[:(\^?\w+):\]|\\([dDwWsS])|(?:\\([^\w\s])|([^\\[\]]))/gsy;
/** One part of a pattern; what is none of them is left to the engine that RE2 comes from. */
const PART =
  /(?<any>\.)|(?<edge>\^|\$|\\[bB])|(?<set>\\[dDwWsS])|\\(?<escaped>[^\w\s]|t)|(?<open>\((?:\?:|\?P?<\w+>)?)(?!\?)|(?<close>\))|(?<or>\|)|(?<repeat>(?:[*+?]|\{\d+(?:,\d*)?\})\??)|\[(?<not>\^?)(?<members>\]?(?:\[:\^?\w+:\]|\\.|[^\]\\[])*)\]|(?<char>[^\\[\]{}()])/gsuy;
const POSIX = new Set(
  "alnum alpha blank cntrl digit graph lower print punct space upper xdigit".split(" "),
);
const PLAIN = /^[\t\x20-\x7e]*$/;

/** The bytes of a character beyond ASCII, or of some that are not UTF-8, which are one as well. */
const BEYOND = "[\\x80-\\xff]{1,4}";
/** NUL, and the vertical tab, which `\s` has in Rust alone. */
const EXCEPT = "\\x00\\x0b";
/** In any case, `k` and `s` are also the Kelvin sign and the long s. */
const EXCEPT_ANY_CASE = `${EXCEPT}\\x80-\\xff`;

/**
 * Writes a pattern of RE2 so that ripgrep finds at least the lines that match it, whatever their bytes
 * are and also if a carriage return ends them, except those with certain bytes. Returns `undefined` for
 * one that has anything unusual: flags, classes of Unicode, `\A`, a character beyond ASCII. To be called
 * with patterns that RE2 has compiled.
 */
export function toRipgrepPattern(
  pattern: string,
  { ignoreCase = false }: { readonly ignoreCase?: boolean | undefined } = {},
): RipgrepPattern | undefined {
  if (!PLAIN.test(pattern)) return undefined;
  let text = "";
  let hasEdges = false;
  let read = 0;
  for (const { 0: part, index, groups = {} } of pattern.matchAll(PART)) {
    read = index + part.length;
    const { any, edge, set, escaped, open, members, not, char } = groups;
    if (edge !== undefined) hasEdges = true;
    if (any !== undefined) text += `(?:[^\\n\\x80-\\xff]|${BEYOND})`;
    else if (edge === "$") text += "\\r?$";
    else if (set !== undefined) text += withBeyond(set, isNegative(set));
    else if (open !== undefined) text += "(?:";
    else if (escaped !== undefined) text += escape(escaped === "t" ? "\t" : escaped);
    else if (char !== undefined) text += escape(char);
    else if (members !== undefined) {
      const inside = toMembers(members);
      if (inside === undefined) return undefined;
      text += withBeyond(`[${not}${inside}]`, not !== "" || isNegative(members));
    } else text += part;
  }
  if (read < pattern.length) return undefined;
  const except = ignoreCase ? EXCEPT_ANY_CASE : EXCEPT;
  return { text: `(?${ignoreCase ? "i" : ""}-u:${text})`, except, hasEdges };
}

/** Whether a part may be a class with what is not in another one. */
function isNegative(part: string): boolean {
  return /\\[DWS]|\[:\^/.test(part);
}

function withBeyond(set: string, isNegated: boolean): string {
  return isNegated ? `(?:${set}|${BEYOND})` : set;
}

function toMembers(members: string): string | undefined {
  let inside = "";
  let read = 0;
  // The first bracket is a member.
  if (members.startsWith("]")) [inside, read] = [escape("]"), 1];
  let from: string | undefined;
  MEMBER.lastIndex = read;
  for (let match = MEMBER.exec(members); match !== null; match = MEMBER.exec(members)) {
    read = MEMBER.lastIndex;
    const [part, posix, set, escaped, char] = match;
    if (posix !== undefined) {
      if (!POSIX.has(posix.replace("^", ""))) return undefined;
      inside += part;
      from = undefined;
    } else if (set !== undefined) {
      inside += part;
      from = undefined;
    } else if (char === "-" && from !== undefined && read < members.length) {
      // A range, unless what follows is a class.
      if (/^(?:\[|\\[dDwWsS])/.test(members.slice(read))) return undefined;
      const next = MEMBER.exec(members);
      const to = next?.[3] ?? next?.[4];
      if (to === undefined || to < from) return undefined;
      read = MEMBER.lastIndex;
      inside += `-${escape(to)}`;
      from = undefined;
    } else {
      from = escaped ?? char ?? "";
      inside += escape(from);
    }
  }
  return read === members.length && inside !== "" ? inside : undefined;
}

/** A character that means itself, in a class as well. */
function escape(character: string): string {
  if (/^[A-Za-z0-9_]$/.test(character)) return character;
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}
