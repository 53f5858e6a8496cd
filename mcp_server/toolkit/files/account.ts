import { type AccountDatabase, findEntry } from "../../access/run_as.ts";
import { BusyError, quote, ToolError } from "../../shared/error.ts";
import type { CommandRunner, ExecutionResult } from "../../tool/command.ts";

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

async function getent(name: string, args: string[], options: LookupOptions): Promise<string> {
  const { stdout, timedOut } = await options.commands
    .run({ program: "getent", args, timeoutMs: 10_000 }, { signal: options.signal })
    .catch(withoutGetent);
  if (!timedOut) return stdout;
  throw new ToolError(
    `Cannot look up ${quote(name)}: getent did not answer within 10 s; use a number`,
    { code: "LOOKUP_TIMED_OUT" },
  );
}

/** A host without getent has no other sources, so nothing is found. */
function withoutGetent(error: unknown): Pick<ExecutionResult, "stdout" | "timedOut"> {
  if (error instanceof ToolError && !(error instanceof BusyError)) {
    return { stdout: "", timedOut: false };
  }
  throw error;
}
