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
