import type { ShownArguments } from "../tool/approval.ts";

/** How much of each text is shown: its first and its last characters. */
const PART = { first: 1_500, last: 400 };

/** What a person can't see, or what changes the order in which text is seen. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}\u00a0\u115f\u1160\u3164\uffa0]/gu;

/**
 * Shows the arguments of a call as JSON text of at most `most` characters. Secrets are redacted by
 * `replacer`, a function for `JSON.stringify()`, before anything is left out. Whatever a person can't
 * see is escaped as in JSON, so that no argument can hide or reorder a part of the text.
 */
export function showArguments(
  args: unknown,
  most: number,
  replacer: (key: string, value: unknown) => unknown,
): ShownArguments {
  const { length } = JSON.stringify(args) ?? "";
  let truncated = false;
  const shorten = (key: string, value: unknown): unknown => {
    const shown = replacer(key, value);
    if (typeof shown !== "string" || shown.length <= PART.first + PART.last) return shown;
    truncated = true;
    const left = shown.length - PART.first - PART.last;
    const [first, last] = [shown.slice(0, PART.first), shown.slice(-PART.last)];
    return `${first}[... ${left} characters are not shown ...]${last}`;
  };
  const whole = (JSON.stringify(args, shorten, 2) ?? "").replaceAll(UNSEEN, escaped);
  if (whole.length <= most) return { text: whole, length, truncated };
  const note = `\n[... the rest of ${length} characters is not shown]`;
  return { text: whole.slice(0, most - note.length) + note, length, truncated: true };
}

/** A line end is between values only: those in texts are escaped by JSON. */
function escaped(text: string): string {
  if (text === "\n") return text;
  return text.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
