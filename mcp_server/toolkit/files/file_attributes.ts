import { type AccountDatabase, findEntry } from "../../access/run_as.ts";
import { BusyError, quote, ToolError } from "../../shared/error.ts";
import type { CommandRunner } from "../../tool/command.ts";

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

/** How names are looked up that the local files don't have. */
export interface LookupOptions {
  /** Runs the look-up. */
  readonly commands: CommandRunner;
  /** Stops the look-up. */
  readonly signal: AbortSignal;
}

const DATABASES = { user: "passwd", group: "group" } as const;
/** The highest id; the one after it means "leave as it is" to chown(2). */
const MAX_ID = 0xffff_fffe;

/**
 * The id of a user or a group by name or number. A number needs no account. A name is looked up in
 * `/etc/passwd` or `/etc/group`, then with `getent` in the other sources of the host, such as LDAP.
 * Throws a `ToolError` if the name doesn't exist.
 */
export async function resolveAccount(
  kind: "user" | "group",
  account: string | number,
  options: LookupOptions,
): Promise<number> {
  const name = String(account);
  const id = /^\d+$/.test(name) ? checkId(name) : await findId(DATABASES[kind], name, options);
  if (id !== undefined) return id;
  throw new ToolError(
    `Cannot use the ${kind} ${quote(name)}: there is no such name; ` +
      `use a name that "getent ${DATABASES[kind]}" lists, or a number`,
    { code: kind === "user" ? "UNKNOWN_USER" : "UNKNOWN_GROUP" },
  );
}

function checkId(digits: string): number | undefined {
  const id = Number(digits);
  return id <= MAX_ID ? id : undefined;
}

async function findId(
  database: AccountDatabase,
  name: string,
  options: LookupOptions,
): Promise<number | undefined> {
  // deno-lint-ignore no-control-regex -- they would end a line or field of the database
  if (name === "" || /[:\x00-\x1f]/.test(name)) return undefined;
  const entry = await findEntry(database, name, (args) => getent(name, args, options));
  return entry && checkId(entry[2]);
}

async function getent(
  name: string,
  args: string[],
  { commands, signal }: LookupOptions,
): Promise<string> {
  try {
    const spec = { program: "getent", args, timeoutMs: 10_000 };
    const { stdout, timedOut } = await commands.run(spec, { signal });
    if (!timedOut) return stdout;
  } catch (error) {
    // A host without getent has no other sources, so nothing is found.
    if (error instanceof ToolError && !(error instanceof BusyError)) return "";
    throw error;
  }
  throw new ToolError(
    `Cannot look up ${quote(name)}: getent did not answer within 10 s; use a number`,
    { code: "LOOKUP_TIMED_OUT" },
  );
}
