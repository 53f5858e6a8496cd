/**
 * Another user of this machine, as whom the server, which is root, runs the commands of a call and
 * reads and writes its files.
 */
export interface RunAsUser {
  /** The name of the account. */
  readonly name: string;
  /** The id of the user. */
  readonly uid: number;
  /** The primary group. */
  readonly gid: number;
  /** All groups, the primary one included. */
  readonly groups: readonly number[];
  /** The home folder. */
  readonly home: string;
  /** The login shell. */
  readonly shell: string;
  /**
   * Where commands start that have no working folder. @default {the server's working folder; it is
   * given if the user may not enter that one}
   */
  readonly folder?: string;
  /** Path of setpriv(1), which changes the user. */
  readonly setpriv: string;
  /** The variables that a process of the server itself starts with before it becomes this user. */
  readonly processEnv: Readonly<Record<string, string>>;
}

/**
 * The arguments of setpriv(1), before a program and its arguments, that make the program one of the
 * user's own: ids, all groups, no capabilities, and no way to get more of them (`no_new_privs`), so
 * that programs with a setuid bit, such as sudo, run without it.
 */
export function toSetprivArgs({ uid, gid }: Pick<RunAsUser, "uid" | "gid">): string[] {
  return [`--reuid=${uid}`, `--regid=${gid}`, "--init-groups", "--no-new-privs", "--"];
}

/**
 * The same for a process of the server itself, which loads its program as root, because the user may
 * not be allowed to read it, and then becomes the user: it has the user's groups already.
 */
export function toLateSetprivArgs({ gid, groups }: RunAsUser): string[] {
  return [`--regid=${gid}`, `--groups=${groups.join(",")}`, "--no-new-privs", "--"];
}

/** The database of users, or of groups (passwd(5), group(5)). */
export type AccountDatabase = "passwd" | "group";

/** The fields of one line of a database: a name, a password, an id, and what depends on the kind. */
export type AccountEntry = readonly [name: string, password: string, id: string, ...string[]];

/**
 * Finds the entry of a name, or of an id that no name equals: in the local file, else in the other
 * sources of the host, such as LDAP, by the output of getent(1) with the given arguments.
 */
export async function findEntry(
  database: AccountDatabase,
  name: string,
  getent: (args: string[]) => Promise<string>,
): Promise<AccountEntry | undefined> {
  // The file may be missing; getent knows the other sources.
  const local = await Deno.readTextFile(`/etc/${database}`).catch(() => "");
  return parseEntry(local, name) ?? parseEntry(await getent([database, "--", name]), name);
}

/** Only an entry of exactly this name or id counts: getent also answers to numbers such as `+0`. */
export function parseEntry(lines: string, name: string): AccountEntry | undefined {
  const entries = lines.split("\n").map((line) => line.split(":")).filter(isEntry);
  return entries.find(([entry]) => entry === name) ?? entries.find(([, , id]) => id === name);
}

function isEntry(fields: string[]): fields is [string, string, string, ...string[]] {
  const [name = "", , id = ""] = fields;
  return name !== "" && /^\d+$/.test(id);
}
