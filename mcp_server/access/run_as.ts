import { messageOf, ToolError } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";
import { findProgram, workingFolder } from "../shared/environment.ts";

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

type Env = Readonly<Record<string, string>>;

/** A line of the user database (passwd(5)). */
type Account = Pick<RunAsUser, "name" | "uid" | "gid" | "home" | "shell">;

/** How long an account that was found is not looked up again. */
const FRESH_MS = 60_000;
/** How long another source of accounts than the local file, such as LDAP, may take. */
const LOOKUP_MS = 10_000;
/** The variables that Deno needs to find its cache. */
const PROCESS_ENV = ["PATH", "DENO_DIR", "HOME", "XDG_CACHE_HOME", "TMPDIR"];
/** Prints the groups, then the first folder that can be entered, unless it is the first of all. */
const LOOK = 'id -G; cd -- "$1" 2>/dev/null && exit; shift; for folder; do ' +
  'cd -- "$folder" 2>/dev/null && echo "$folder" && exit; done; exit 1';

/** Looks up the users as whom commands run. */
export class RunAsUsers {
  readonly #env: Env;
  readonly #log: Log;
  #warned: Promise<void> | undefined;
  readonly #found = new Map<string, { readonly at: number; readonly user: Promise<RunAs> }>();

  constructor(env: Env, log: Log) {
    this.#env = env;
    this.#log = log;
  }

  /**
   * The user of a name or a number; `undefined` for `root`, which the server is itself. Rejects
   * with a `ToolError` of code `RUN_AS_UNAVAILABLE` if commands can't run as that user: the server
   * is not root, there is no such user, it is another name of root, or setpriv(1) is missing.
   */
  find(name: string): Promise<RunAs> {
    const known = this.#found.get(name);
    if (known !== undefined && performance.now() - known.at < FRESH_MS) return known.user;
    const user = this.#lookUp(name);
    this.#found.set(name, { at: performance.now(), user });
    user.catch(() => this.#found.delete(name));
    return user;
  }

  async #lookUp(name: string): Promise<RunAs> {
    if (Deno.uid() !== 0) throw refusal(name, "only a server that runs as root can do that");
    const account = await findAccount(name, this.#env);
    if (account === undefined) {
      throw refusal(name, 'there is no such user; use a name that "getent passwd" lists');
    }
    if (account.uid === 0) {
      if (name === "root") return undefined;
      throw refusal(name, 'it is root; write "root" if you mean it');
    }
    const setpriv = await findSetpriv(this.#env.PATH ?? "");
    if (setpriv === undefined) {
      throw refusal(name, "setpriv is missing; install the package util-linux");
    }
    const given = PROCESS_ENV.flatMap((key) => {
      const value = this.#env[key];
      return value === undefined ? [] : [[key, value]];
    });
    const user = await lookAs({ ...account, setpriv, processEnv: Object.fromEntries(given) });
    await (this.#warned ??= this.#warnOfBlindness());
    return user;
  }

  /** Root in a container often lacks the capability to look into processes of other users. */
  async #warnOfBlindness(): Promise<void> {
    if (await mayLookIntoProcesses(this.#env)) return;
    this.#log.warn(
      "without control groups, processes of another user that leave their group are not found",
      {
        fix: "give the server the capability SYS_PTRACE",
      },
    );
  }
}

/** A user other than the server's own. */
type RunAs = RunAsUser | undefined;

function refusal(name: string, state: string, cause?: unknown): ToolError {
  return new ToolError(`Cannot run commands as the user ${JSON.stringify(name)}: ${state}`, {
    code: "RUN_AS_UNAVAILABLE",
    cause,
  });
}

/** CAP_SYS_PTRACE, as a bit of the effective capabilities (capabilities(7)). */
const SYS_PTRACE = 1n << 19n;

async function mayLookIntoProcesses({ PATH = "" }: Env): Promise<boolean> {
  const args = ["^CapEff:", "/proc/self/status"];
  const { stdout } = await outputOf("grep", { args, env: { PATH } });
  const [, effective = "0"] = /([0-9a-f]+)$/.exec(stdout.trim()) ?? [];
  return (BigInt(`0x${effective}`) & SYS_PTRACE) !== 0n;
}

/** The account of a name or a number. */
async function findAccount(name: string, { PATH = "" }: Env): Promise<Account | undefined> {
  if (!/^[^\s:/-][^\s:/]*$/.test(name)) return undefined;
  const getent = (args: string[]) =>
    outputOf("getent", { args, env: { PATH } }).then(({ stdout }) => stdout, () => "");
  return toAccount(await findEntry("passwd", name, getent));
}

/** The account of a line of passwd(5); `undefined` if the line is no whole one. */
export function toAccount(entry: AccountEntry | undefined): Account | undefined {
  const [name = "", , uid, gid = "", , home, shell] = entry ?? [];
  if (entry?.length !== 7 || !/^\d+$/.test(gid)) return undefined;
  return {
    name,
    uid: Number(uid),
    gid: Number(gid),
    home: home || "/",
    shell: shell || "/bin/sh",
  };
}

/** Any other entry than an absolute one is in the working folder, which can be anybody's. */
async function findSetpriv(path: string): Promise<string | undefined> {
  const folders = path.split(":").filter((folder) => folder.startsWith("/"));
  if (folders.length === 0) return undefined;
  return await findProgram("setpriv", { path: folders.join(":") }).catch(() => undefined);
}

/** Completes a user by what a process of that user sees. */
async function lookAs(user: Omit<RunAsUser, "groups">): Promise<RunAsUser> {
  const script = ["sh", "-c", LOOK, "sh", workingFolder() ?? "", user.home, "/"];
  const args = [...toSetprivArgs(user), ...script];
  try {
    const { code, stdout, stderr } = await outputOf(user.setpriv, { args, env: user.processEnv });
    const [groups = "", folder = ""] = stdout.split("\n");
    if (code !== 0 || !/^\d+( \d+)*$/.test(groups)) {
      throw new Error(stderr.trim() || `setpriv ended with code ${code}`);
    }
    const known = { ...user, groups: groups.split(" ").map(Number) };
    return folder === "" ? known : { ...known, folder };
  } catch (cause) {
    throw refusal(user.name, messageOf(cause), cause);
  }
}

async function outputOf(program: string, options: { args: string[]; env: Env }) {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    ...options,
    env: { ...options.env, LC_ALL: "C" },
    clearEnv: true,
    stdin: "null",
    signal: AbortSignal.timeout(LOOKUP_MS),
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
