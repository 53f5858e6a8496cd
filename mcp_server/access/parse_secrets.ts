import { SHELL_NAME, SHELLS_FOLDERS, SHELLS_OWN } from "../shared/environment.ts";
import { parseAccessFile, unusable } from "./access_file.ts";

/** The values of secrets by their names. */
export type Secrets = ReadonlyMap<string, string>;

const MOST_SECRETS = 1_000;
const MOST_NAME = 64;
/** Shorter values would match parts of ordinary words. */
const FEWEST_CHARS = 8;
/** Keys and certificates have a few thousand; Linux accepts variables of 128 KiB. */
const MOST_CHARS = 16_384;

/** Each character of an output is compared with at most some more than these. */
const MOST_REPEATED = 64;

/** Variables of the server, and those that decide which programs run and where. */
const NOT_SECRETS = /^(MCP_.*|PATH|HOME)$/;

/**
 * Reads the text of a secrets file. Throws an `AccessFileError` that says what is wrong with which
 * secret, and repeats no value.
 */
export function parseSecrets(text: string): Secrets {
  const entries = Object.entries(parseAccessFile(text, "secrets"));
  if (entries.length > MOST_SECRETS) {
    throw unusable(`it has ${entries.length} secrets, ${MOST_SECRETS} are the most`);
  }
  return new Map(entries.map(([name, value], at) => {
    ensureName(name, at);
    return [name, toValue(name, value)];
  }));
}

/** A name that has not the form of one is not repeated: perhaps it is the value. */
function ensureName(name: string, at: number): void {
  if (name.length > MOST_NAME || !SHELL_NAME.test(name)) {
    throw unusable(
      `the name of secret ${at + 1} must be that of a variable: 1 to ${MOST_NAME} letters, ` +
        'digits or "_", and no digit first',
    );
  }
  const isTaken = NOT_SECRETS.test(name) || SHELLS_OWN.test(name) ||
    SHELLS_FOLDERS.some((folder) => folder === name);
  if (isTaken) throw unusable(`the name "${name}" is one of the server or of shells`);
}

function toValue(name: string, value: unknown): string {
  const refuse = (state: string) => unusable(`the secret "${name}" ${state}`);
  if (typeof value !== "string") throw refuse("must be a text");
  if (value.trim().length < FEWEST_CHARS) {
    throw refuse(
      `must have at least ${FEWEST_CHARS} characters without the space around them: a shorter one ` +
        "can't be told from ordinary text in an output",
    );
  }
  if (value.length > MOST_CHARS) throw refuse(`must have at most ${MOST_CHARS} characters`);
  if (repeatsItself(value.trim())) {
    throw refuse(
      `must not begin with a text that is repeated for over ${MOST_REPEATED} characters`,
    );
  }
  if (value.includes("\0")) throw refuse("must not contain a NUL character");
  if (!value.isWellFormed()) throw refuse("must not contain half of a surrogate pair");
  return value;
}

/**
 * Whether the beginning of a text repeats itself, by the longest border of each of its prefixes (Knuth,
 * Morris and Pratt, "Fast pattern matching in strings", 1977).
 */
function repeatsItself(text: string): boolean {
  const borders = new Uint16Array(text.length);
  for (let at = 1; at < text.length; at++) {
    let border = borders[at - 1] ?? 0;
    while (border > 0 && text[at] !== text[border]) border = borders[border - 1] ?? 0;
    if (text[at] === text[border]) border++;
    borders[at] = border;
    if (at >= MOST_REPEATED && 2 * border > at + 1) return true;
  }
  return false;
}
