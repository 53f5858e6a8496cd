/** What JSON leaves as it is, and a terminal or a reader of lines may act on: C1 and line ends. */
const CONTROLS = /[\u007f-\u009f\u2028\u2029]/g;

/** A line of a log or of the audit, with its line end: JSON without any control character. */
export function toJsonLine(json: string): string {
  return `${json.replaceAll(CONTROLS, escapeCharacter)}\n`;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
