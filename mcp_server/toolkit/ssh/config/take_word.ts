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
