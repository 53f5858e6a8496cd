import { quote, ToolError } from "../../shared/error.ts";

/** Computes a file's new mode from its current one. */
export type ModeChange = (mode: number, umask: number) => number;

const OCTAL = /^0?[0-7]{3,4}$/;
const CLAUSE = /^([ugoa]*)((?:[-+=][ugo]|=[rwxXst]*|[-+][rwxXst]+)+)$/;

/** Every text that {@linkcode parseFileMode} takes, for the JSON Schema of a tool. */
export const FILE_MODE: RegExp =
  /^(0?[0-7]{3,4}|[ugoa]*([-+=][ugo]|=[rwxXst]*|[-+][rwxXst]+)+(,[ugoa]*([-+=][ugo]|=[rwxXst]*|[-+][rwxXst]+)+)*)$/;
const ACTION = /([-+=])([ugo]|[rwxXst]*)/g;

/** The bits that belong to each class of users. */
const CLASSES = new Map([["u", 0o4700], ["g", 0o2070], ["o", 0o1007], ["a", 0o7777]]);
/** The bits of each permission, for all classes. */
const PERMISSIONS = new Map([["r", 0o444], ["w", 0o222], ["x", 0o111], ["s", 0o6000], [
  "t",
  0o1000,
]]);
/** The bit offset of the copied class's permissions. */
const COPIES = new Map([["u", 6], ["g", 3], ["o", 0]]);

/**
 * Parses the mode of `chmod` (POSIX, "chmod", Extended Description): 3 or 4 octal digits, with or
 * without a leading zero, or clauses such as `u+x,go-w`. A clause that names no class leaves out
 * the bits of the umask. Throws a `ToolError` for any other text.
 *
 * @example
 * ```ts
 * import { parseFileMode } from "@trestle/mcp-server/toolkit";
 *
 * const change = parseFileMode("u+x,go-w");
 * console.log(change(0o664, 0o022).toString(8)); // "744"
 * ```
 */
export function parseFileMode(text: string): ModeChange {
  if (OCTAL.test(text)) return () => Number.parseInt(text, 8);
  const actions = text.split(",").flatMap((clause) => parseClause(clause, text));
  return (mode, umask) => actions.reduce((now, action) => apply(action, now, umask), mode & 0o7777);
}

interface Action {
  readonly classes: string;
  readonly operator: string;
  readonly permissions: string;
}

function parseClause(clause: string, text: string): Action[] {
  const [, classes, actions] = CLAUSE.exec(clause) ?? [];
  if (classes === undefined || actions === undefined) {
    throw new ToolError(
      `Cannot use chmod ${quote(text)}: it is neither octal such as "0644" ` +
        'nor symbolic such as "u+x,go-w"',
      { code: "INVALID_MODE" },
    );
  }
  return [...actions.matchAll(ACTION)].map(([, operator = "", permissions = ""]) => ({
    classes,
    operator,
    permissions,
  }));
}

function apply({ classes, operator, permissions }: Action, mode: number, umask: number): number {
  const affected = sum(classes, CLASSES);
  const value = bitsOf(permissions, mode) & (classes === "" ? ~umask : affected);
  if (operator === "+") return mode | value;
  if (operator === "-") return mode & ~value;
  return (classes === "" ? 0 : mode & ~affected) | value;
}

function bitsOf(permissions: string, mode: number): number {
  const shift = COPIES.get(permissions);
  if (shift !== undefined) return ((mode >> shift) & 0o7) * 0o111;
  const execute = permissions.includes("X") && (mode & 0o111) !== 0 ? 0o111 : 0;
  return sum(permissions, PERMISSIONS) | execute;
}

function sum(letters: string, bits: ReadonlyMap<string, number>): number {
  return [...letters].reduce((all, letter) => all | (bits.get(letter) ?? 0), 0);
}
