import { AccessFileError } from "../access/access_file.ts";
import type { WatchedCallers } from "../access/watched_callers.ts";
import type { CallerSecrets } from "../access/caller_secrets.ts";
import type { WatchedSecrets } from "../access/watched_secrets.ts";
import { type Config, ConfigError } from "../settings/config.ts";
import { type Caller, DEFAULT_CALLER, narrowed, NOBODY } from "../access/caller.ts";
import { messageOf } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";
import { type RunAsUser, RunAsUsers } from "../access/run_as.ts";

/** Who may call, and as whom their commands run. */
export interface Access extends Disposable {
  /** Those of the callers file; absent without one. */
  readonly callers?: WatchedCallers | undefined;
  /** The caller of `MCP_TOKEN`, and of a server without tokens. */
  readonly defaultCaller: Caller;
  /** The caller of a client over stdio, with the rights that it has by now. */
  readonly stdioCaller: Caller;
  /** The caller of a job that another server accepted, with the rights that it has here. */
  readonly callerOf: (name: string, scopes: readonly string[] | undefined) => Caller | undefined;
  /** A caller with the rights that it has by now, none once it was removed; absent if none change. */
  readonly currentOf: ((caller: Caller) => Caller) | undefined;
  /** Aborts once a caller has other rights than these, or none; `undefined` if they can't change. */
  readonly revokedOf: (caller: Caller) => AbortSignal | undefined;
  /** The secrets that a caller may use now; absent without a secrets file. */
  readonly secretsOf: ((caller: Caller) => CallerSecrets) | undefined;
  /** The secrets of all callers; `undefined` without a secrets file. */
  readonly allSecrets: () => CallerSecrets | undefined;
  /** The user as whom the calls of a caller run; absent if all run as the server's own. */
  readonly userOf: ((caller: Caller) => Promise<RunAsUser | undefined> | undefined) | undefined;
}

/**
 * Opens the files of callers and of secrets, and looks up the user of commands. Rejects with a
 * `ConfigError` if one of them can't be used.
 */
export async function openAccess(config: Config, log: Log): Promise<Access> {
  const users = new RunAsUsers(config.env, log);
  await checkRunAs(config.runAs, users);
  using opened = new DisposableStack();
  const callers = opened.use(await openCallers(config.callersFile, { log, users }));
  const secrets = opened.use(await openSecrets(config.secretsFile, log));
  const { ownRights, runAs } = config;
  const own = ownRights === undefined ? {} : { rights: narrowed(ownRights) };
  const defaultCaller = { ...DEFAULT_CALLER, ...own };
  const callerOf: Access["callerOf"] = (name, scopes) => {
    // Without a callers file, every subject of an OAuth token is a caller with the rights of its scopes.
    const isSubject = callers === undefined && config.oauth !== undefined && scopes !== undefined;
    const known = name === DEFAULT_CALLER.name
      ? defaultCaller
      : isSubject
      ? { name, ...own }
      : callers?.findByName(name)?.caller;
    return known === undefined || scopes === undefined ? known : { ...known, scopes };
  };
  const stdioCaller = config.caller === undefined
    ? defaultCaller
    : liveCaller(config.caller, callers);
  const files = opened.move();
  return {
    callers,
    defaultCaller,
    stdioCaller,
    callerOf,
    currentOf: callers && (({ name, scopes }) => callerOf(name, scopes) ?? { ...NOBODY, name }),
    revokedOf: ({ name, rights }) => {
      if (callers === undefined || name === DEFAULT_CALLER.name) return undefined;
      const holder = callers.findByName(name);
      return holder?.caller.rights === rights && holder?.revoked || AbortSignal.abort();
    },
    userOf: runAs === undefined && ownRights?.runAs === undefined && callers === undefined
      ? undefined
      : ({ rights }) => {
        const name = rights?.runAs ?? runAs;
        return name === undefined ? undefined : users.find(name);
      },
    secretsOf: secrets && ((caller) => secrets.of(caller)),
    allSecrets: () => secrets?.all,
    [Symbol.dispose]: () => files.dispose(),
  };
}

/** Loads `node:fs`, which takes a while, only for a server that has a callers file. */
async function openCallers(
  file: string | undefined,
  { log, users }: { readonly log: Log; readonly users: RunAsUsers },
): Promise<WatchedCallers | undefined> {
  if (file === undefined) return undefined;
  const { WatchedCallers } = await import("../access/watched_callers.ts");
  try {
    return await WatchedCallers.open(file, { log, checkUser: (name) => users.find(name) });
  } catch (cause) {
    throw unusableFile("MCP_CALLERS_FILE", file, cause);
  }
}

/** A caller of the file, whose rights are those that it has by now. */
function liveCaller(name: string, callers: WatchedCallers | undefined): Caller {
  if (callers?.findByName(name) === undefined) {
    throw new ConfigError(`Cannot use MCP_CALLER "${name}": the callers file has no such caller`);
  }
  return {
    name,
    get rights() {
      return (callers.findByName(name)?.caller ?? NOBODY).rights;
    },
  };
}

async function openSecrets(
  file: string | undefined,
  log: Log,
): Promise<WatchedSecrets | undefined> {
  if (file === undefined) return undefined;
  const { WatchedSecrets } = await import("../access/watched_secrets.ts");
  try {
    return await WatchedSecrets.open(file, { log });
  } catch (cause) {
    throw unusableFile("MCP_SECRETS_FILE", file, cause);
  }
}

function unusableFile(setting: string, file: string, cause: unknown): ConfigError {
  const reason = cause instanceof AccessFileError ? cause.reason : messageOf(cause);
  return new ConfigError(`Cannot use ${setting} "${file}": ${reason}`, { cause });
}

async function checkRunAs(name: string | undefined, users: RunAsUsers): Promise<void> {
  if (name === undefined) return;
  await users.find(name).catch((cause) => {
    throw new ConfigError(`Cannot use MCP_RUN_AS "${name}": ${messageOf(cause)}`, { cause });
  });
}
