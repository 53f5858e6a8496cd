/**
 * What can't be seen or is taken for a space, or what changes the order in which a text is seen. The
 * server escapes the same in what a person approves.
 */
const UNSEEN =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]|(?! )\p{Zs}/gu;
/** Characters that join others to one symbol, as in emoji and in scripts that need them. */
const JOINERS = /^[\u200c\u200d\ufe0e\ufe0f]$/;
const SYMBOL = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{L}\p{M}]/u;

/**
 * The text with what can't be seen as JSON's escapes, such as `\u202e`, so that nothing in it is hidden
 * or in another order. Line breaks, tabs and what joins visible symbols stay.
 */
export function toVisible(text: string): string {
  return text.replaceAll(UNSEEN, (unseen: string, at: number) => {
    const before = text.slice(Math.max(0, at - 2), at);
    const isJoined = JOINERS.test(unseen) && [...before].slice(-1).some((one) => SYMBOL.test(one));
    return isJoined ? unseen : escaped(unseen);
  });
}

/** Whether a part of the text can't be seen, or is seen in another order. */
export function isHiding(text: string): boolean {
  return toVisible(text) !== text;
}

/** JSON whose strings hide nothing: parsed again, it is the same value. */
export function toVisibleJson(value: unknown, indent?: number): string {
  return toVisible(JSON.stringify(value, null, indent) ?? "");
}

/** The code units of a character as JSON escapes them. */
function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");
}
