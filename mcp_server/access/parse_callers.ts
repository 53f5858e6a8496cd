import * as z from "zod";
import { createHash } from "node:crypto";
import { quote } from "../shared/error.ts";
import { parseAccessFile, unusable } from "./access_file.ts";
import {
  type Caller,
  DEFAULT_CALLER,
  HOST_PATTERN,
  isPathPattern,
  NOBODY,
  PATH_PATTERN_RULE,
  TOOL_PATTERN,
} from "./caller.ts";

/** A caller of the file, and how it is recognized. */
export interface CallerEntry {
  readonly caller: Caller;
  /** SHA-256 digests of its tokens, in lower-case hexadecimal digits. */
  readonly digests: readonly string[];
  /** The subject of its OAuth tokens. */
  readonly subject?: string;
}

/** Names of callers, which lines of the audit and answers repeat. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;
const RESERVED: readonly string[] = [DEFAULT_CALLER.name, NOBODY.name];
const WEEK_MS = 7 * 86_400_000;

const Digest = text(/^[0-9a-fA-F]{64}$/, "must be a SHA-256 of 64 hexadecimal digits")
  .toLowerCase();
const Digests = z.union([Digest.transform((one) => [one]), z.array(Digest).min(1).max(2)], {
  error: "must be a SHA-256 of 64 hexadecimal digits, or two of them in a list",
});

const ToolPattern = text(TOOL_PATTERN, "must be the name or a pattern of tools");

/** What the file says about one caller. */
const Entry = z.strictObject({
  tokenSha256: Digests.optional(),
  subject: text(/^.{1,1000}$/s, "must be a text of 1 to 1,000 characters").optional(),
  tools: list(ToolPattern).default([]),
  hosts: list(text(HOST_PATTERN, "must be the name or a pattern of hosts")).default([]),
  // A record leaves this key out, and with it a rule that may be stricter than that of a pattern.
  databases: z.unknown().refine(
    (value) => !Object.hasOwn(Object(value), "__proto__"),
    { error: 'must not name "__proto__"', abort: true },
  ).pipe(z.record(
    z.string(),
    z.enum(["ro", "rw"], { error: 'must be "ro" or "rw"' }),
    { error: 'must be an object, such as {"main": "ro"}' },
  )).default({}),
  paths: list(
    z.string({ error: "must be a text" }).refine(isPathPattern, { error: PATH_PATTERN_RULE }),
  ).default([]),
  ask: list(ToolPattern).optional(),
  askBy: z.enum(["client", "admin"], { error: 'must be "client" or "admin"' }).optional(),
  secrets: list(text(/^[A-Za-z0-9_*?]{1,64}$/, "must be the name or a pattern of secrets")).default(
    [],
  ),
  maxCalls: wholeNumber(1, 65_536).optional(),
  maxJobs: wholeNumber(0, 100_000).optional(),
  maxTimeoutMs: wholeNumber(1, WEEK_MS).optional(),
  readOnly: z.boolean({ error: "must be true or false" }).optional(),
  admin: z.boolean({ error: "must be true or false" }).default(false),
  runAs: text(/^[A-Za-z_][A-Za-z0-9_.-]{0,31}\$?$/, "must be the name of a user").optional(),
}, { error: "must be an object" });

/**
 * Reads the text of a callers file. Throws an `AccessFileError` that names the caller and the key
 * that is wrong.
 */
export function parseCallers(text: string): readonly CallerEntry[] {
  const entries = Object.entries(parseAccessFile(text, "callers"))
    .map(([name, value]) => parseEntry(name, value));
  ensureUnique(entries, "tokenSha256", ({ digests }) => digests);
  ensureUnique(entries, "subject", ({ subject }) => subject === undefined ? [] : [subject]);
  return entries;
}

/** Why a caller of the file can't have a name, as the end of a sentence; `undefined` if it can. */
function faultOfName(name: string): string | undefined {
  if (RESERVED.includes(name)) return `the name "${name}" is the server's own`;
  if (NAME.test(name)) return undefined;
  return `the name ${quote(name, 64)} must be 1 to 64 letters, digits, ".", "_", "@" or "-"`;
}

function parseEntry(name: string, value: unknown): CallerEntry {
  const fault = faultOfName(name);
  if (fault !== undefined) throw unusable(fault);
  const { data, error } = Entry.safeParse(value);
  if (data === undefined) throw unusable(`the caller "${name}": ${describe(error)}`);
  const { tokenSha256: digests = [], subject, ...rights } = data;
  if (digests.length === 0 && subject === undefined) {
    throw unusable(
      `the caller "${name}": it has neither "tokenSha256" nor "subject"; --new-token creates a token`,
    );
  }
  return {
    caller: Object.freeze({ name, rights: Object.freeze(rights) }),
    digests,
    ...(subject === undefined ? {} : { subject }),
  };
}

function describe({ issues: [issue] }: z.ZodError): string {
  if (issue?.code === "unrecognized_keys") {
    const keys = Object.keys(Entry.shape).join(", ");
    return `it has an unknown key ${quote(issue.keys[0] ?? "")}; the keys are ${keys}`;
  }
  const path = issue?.path.join(".") ?? "";
  return `${path === "" ? "it" : quote(path)} ${issue?.message}`;
}

/** Throws if two callers can't be told apart. */
function ensureUnique(
  entries: readonly CallerEntry[],
  key: string,
  valuesOf: (entry: CallerEntry) => readonly string[],
): void {
  const owners = new Map<string, string>();
  for (const entry of entries) {
    const { name } = entry.caller;
    for (const value of valuesOf(entry)) {
      const owner = owners.get(value);
      if (owner !== undefined) {
        throw unusable(`the callers "${owner}" and "${name}" have the same "${key}"`);
      }
      owners.set(value, name);
    }
  }
}

function text(form: RegExp, error: string) {
  return z.string({ error }).regex(form, { error });
}

function list<Item extends z.ZodType>(item: Item) {
  return z.array(item, { error: "must be a list" }).max(1_000, {
    error: "must be a list of at most 1,000 items",
  });
}

function wholeNumber(least: number, most: number) {
  const error = `must be a whole number, ${least} to ${most}`;
  return z.number({ error }).refine(Number.isInteger, { error }).min(least, { error })
    .max(most, { error });
}

/** A token, and what the callers file says about its owner. */
interface NewToken {
  readonly token: string;
  /** A line of the object `callers`: a key with its value as JSON. */
  readonly line: string;
}

/** Enough that nobody guesses it: 256 bits. */
const BYTES = 32;

/**
 * Creates a random token for a caller who may do nothing yet. Throws a `RangeError` if no
 * caller can have the name.
 */
export function createToken(name: string): NewToken {
  const fault = faultOfName(name);
  if (fault !== undefined) throw new RangeError(`Cannot create a token: ${fault}`);
  const token = crypto.getRandomValues(new Uint8Array(BYTES)).toHex();
  const tokenSha256 = createHash("sha256").update(token).digest("hex");
  const entry = `{ "tokenSha256": ${JSON.stringify(tokenSha256)}, "tools": [] }`;
  return { token, line: `${JSON.stringify(name)}: ${entry}` };
}
