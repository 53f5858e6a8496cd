import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path/posix";
import type { RunAsUser } from "../access/run_as.ts";
import { within } from "../shared/concurrency.ts";
import { messageOf, ToolError } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";

/** The start of the names of script folders; random letters and digits follow. */
const PREFIX = "trestle-script-";

/** How often another folder is created, if one is taken for abandoned before it is locked. */
const MOST_FOLDERS = 10;
/** How often the removal of a folder is tried, which a script may still be filling. */
const MOST_TRIES = 3;
/** How long a removal waits for a free descriptor, and how often it looks for one. */
const DESCRIPTOR_MS = 60_000;
const PAUSE_MS = 100;

/**
 * Creates a folder for one script in the temporary folder. It is locked (flock(2)) as long as this
 * process uses it: one without a lock belongs to a server that was killed.
 *
 * Rejects with a `ToolError` of code `TEMP_FOLDER_UNUSABLE` and leaves nothing.
 */
export async function createScriptFolder(
  temp: string,
  log: Log,
  user?: RunAsUser,
): Promise<ScriptFolder> {
  for (let tries = 1;; tries++) {
    const { path, lock } = await createLocked(temp, log);
    if (lock === undefined) {
      if (tries < MOST_FOLDERS) continue;
      throw toTempFolderError(temp, new Error(`Cannot keep "${path}": it was removed`));
    }
    try {
      const files = user === undefined ? ownFiles(path) : await createUserFiles(path, user);
      return new ScriptFolder({ temp, path, lock, log, files });
    } catch (cause) {
      lock.close();
      await removeOrLog(path, log);
      throw toTempFolderError(temp, cause);
    }
  }
}

/**
 * A server that starts at this moment may take the new folder for an abandoned one, because it has
 * no lock yet.
 */
async function createLocked(
  temp: string,
  log: Log,
): Promise<{ path: string; lock?: Deno.FsFile }> {
  let path = "";
  try {
    path = await Deno.makeTempDir({ dir: temp, prefix: PREFIX });
    const lock = await Deno.open(path);
    // On a file system without locks, the server that looks for abandoned folders can't lock
    // either.
    const isLocked = await lock.tryLock(true).catch(() => true);
    if (isLocked && await exists(path)) return { path, lock };
    lock.close();
    return { path };
  } catch (cause) {
    // It was removed before it could be opened.
    if (path !== "" && cause instanceof Deno.errors.NotFound) return { path };
    if (path !== "") await removeOrLog(path, log);
    throw toTempFolderError(temp, cause);
  }
}

/** A folder that is locked, in the temporary folder `temp`. */
interface LockedParts {
  readonly path: string;
  readonly temp: string;
  readonly lock: Deno.FsFile;
  readonly log: Log;
  /** The folder itself, or one of its user's in it. */
  readonly files: ScriptFiles;
}

/** A folder of mode 0700 for one script. Disposing of it removes it, and never rejects. */
export class ScriptFolder implements AsyncDisposable {
  /** Its absolute path. */
  readonly path: string;
  readonly #parts: LockedParts;
  #handle: FileHandle | undefined;

  constructor(parts: LockedParts) {
    this.path = parts.files.path;
    this.#parts = parts;
  }

  /** Writes a file of mode 0600. Rejects with a `TEMP_FOLDER_UNUSABLE`. */
  async write(name: string, text: string): Promise<void> {
    try {
      await this.#parts.files.write(name, text);
    } catch (cause) {
      throw toTempFolderError(this.#parts.temp, cause);
    }
  }

  /**
   * A path of the folder in `/proc`, above which are none of its parent folders; valid until
   * disposal.
   */
  async openHandle(): Promise<string> {
    try {
      const { open } = await import("node:fs/promises");
      this.#handle ??= await open(this.path, "r");
      return `/proc/${Deno.pid}/fd/${this.#handle.fd}`;
    } catch (cause) {
      throw toTempFolderError(this.#parts.temp, cause);
    }
  }

  /** What a script did to its folder must not take its result away, so failures are logged. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { path, lock, log } = this.#parts;
    // The removal needs a descriptor, of which there may be none left.
    await this.#handle?.close().catch(() => {});
    lock.close();
    await removeOrLog(path, log);
  }
}

/**
 * Removes a folder. Without a free descriptor it continues in the background, because the call
 * itself holds some. Never rejects: failures are logged.
 */
async function removeOrLog(path: string, log: Log): Promise<void> {
  try {
    await removeFolder(path);
  } catch (error) {
    if (isOutOfDescriptors(error)) void removeLater(path, log);
    else logLeft(path, log, error);
  }
}

/** The next start removes what is left if this process ends meanwhile, so it need not wait. */
async function removeLater(path: string, log: Log): Promise<void> {
  const deadline = performance.now() + DESCRIPTOR_MS;
  for (;;) {
    await new Promise((resolve) => Deno.unrefTimer(setTimeout(resolve, PAUSE_MS)));
    try {
      return await removeFolder(path);
    } catch (error) {
      if (isOutOfDescriptors(error) && performance.now() < deadline) continue;
      return logLeft(path, log, error);
    }
  }
}

function logLeft(folder: string, log: Log, error: unknown): void {
  log.warn("the folder of a script was not removed", { folder, error: messageOf(error) });
}

/** Removes a folder, which a script may have removed by itself, or may still be filling. */
async function removeFolder(path: string): Promise<void> {
  for (let tries = 1;; tries++) {
    try {
      return await Deno.remove(path, { recursive: true });
    } catch (error) {
      if (!await exists(path)) return;
      if (tries === MOST_TRIES) throw error;
    }
  }
}

function isOutOfDescriptors(error: unknown): boolean {
  return error instanceof Error && "code" in error &&
    (error.code === "EMFILE" || error.code === "ENFILE");
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Where the files of a script are written. */
interface ScriptFiles {
  /** The absolute path of their folder, which has mode 0700. */
  readonly path: string;
  /** Writes a file of mode 0600; rejects with the system's error. */
  write(name: string, text: string): Promise<void>;
}

/** The files of the server's own user. */
function ownFiles(path: string): ScriptFiles {
  const mode = { mode: 0o600 };
  return { path, write: (name, text) => Deno.writeTextFile(`${path}/${name}`, text, mode) };
}

/**
 * Creates a folder of a user within a folder of root. The user owns it, and may change everything in
 * it, but can't replace it: whatever path root writes to, it is in this very folder.
 */
export async function createUserFiles(parent: string, user: RunAsUser): Promise<ScriptFiles> {
  const path = `${parent}/files`;
  await Deno.mkdir(path);
  // The folder is still root's, so that no link can be put in the place of a path.
  await Deno.chmod(path, 0o700);
  await Deno.chown(path, user.uid, user.gid);
  await Deno.chmod(parent, 0o711);
  return { path, write: (name, text) => writeFor(user, `${path}/${name}`, text) };
}

/** Writes a new file and gives it away by its descriptor: a name may be a link of the user's. */
async function writeFor({ uid, gid }: RunAsUser, path: string, text: string): Promise<void> {
  const { open, rm } = await import("node:fs/promises");
  await rm(path, { force: true });
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.chown(uid, gid);
  } finally {
    await file.close();
  }
}

/** How long a start waits for the removal, which continues in any case. */
const WAIT_MS = 1_000;

const sweeps = new Map<string, Promise<void>>();

/**
 * Removes the scripts of servers that were killed from a temporary folder: folders of this user
 * that no process has locked. Does so once per process. Never rejects.
 */
export async function removeAbandonedScripts(temp: string, log: Log): Promise<void> {
  const sweep = sweeps.get(temp) ?? sweepFolder(temp, log);
  sweeps.set(temp, sweep);
  await within(sweep, WAIT_MS);
}

/** The same, but at every call. */
export async function sweepFolder(temp: string, log: Log): Promise<void> {
  try {
    for await (const { name, isDirectory } of Deno.readDir(temp)) {
      if (isDirectory && name.startsWith(PREFIX)) await removeIfAbandoned(`${temp}/${name}`, log);
    }
  } catch (error) {
    log.debug("abandoned scripts can't be looked up", { folder: temp, error: messageOf(error) });
  }
}

async function removeIfAbandoned(path: string, log: Log): Promise<void> {
  try {
    const { isDirectory, uid } = await Deno.lstat(path);
    if (!isDirectory || uid !== Deno.uid()) return;
    using lock = await Deno.open(path);
    if (!await lock.tryLock(true)) return;
    await Deno.remove(path, { recursive: true });
    log.info("an abandoned script was removed", { folder: path });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    log.warn("an abandoned script was not removed", { folder: path, error: messageOf(error) });
  }
}

/** The system's errors, and what they mean for an operator. */
const STATES: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist; create it, or set TMPDIR",
  ENOTDIR: "it is not a folder; set TMPDIR to one",
  EACCES: "the server's user may not write to it; change its mode, or set TMPDIR",
  EPERM: "the system denies it; change its mode, or set TMPDIR",
  EROFS: "its file system is read-only; set TMPDIR to another one",
  ENOSPC: "its disk is full; remove files from it, or set TMPDIR",
  EDQUOT: "the disk quota of the server's user is used up; remove files, or set TMPDIR",
};

/** A folder of root that all users may pass through. */
const PASSABLE = "/var/cache/trestle";

/** Describes why a script can't be written to the temporary folder. */
export function toTempFolderError(folder: string, cause: unknown): ToolError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const state = STATES[code] ?? messageOf(cause);
  return new ToolError(`Cannot use the temporary folder ${JSON.stringify(folder)}: ${state}`, {
    code: "TEMP_FOLDER_UNUSABLE",
    cause,
  });
}

/**
 * The first folder above a path into which other users may write, or `undefined`. A sticky bit does
 * not help: it guards the files that are there, not against new ones.
 */
export async function sharedFolderAbove(path: string): Promise<string | undefined> {
  for (let folder = dirname(path);; folder = dirname(folder)) {
    const { uid, gid, mode } = await Deno.lstat(folder);
    const others = (mode ?? 0) & (gid === Deno.gid() ? 0o002 : 0o022);
    const foreign = uid !== 0 && uid !== Deno.uid();
    if (others !== 0 || foreign) return folder;
    if (folder === "/") return undefined;
  }
}

/**
 * Finds a folder for scripts such that no other user can put a file into a folder above it:
 * `XDG_RUNTIME_DIR`, else `trestle` in `XDG_CACHE_HOME` or `~/.cache`, which is created with mode
 * 0700. Resolves with `undefined` if none of them is private and writable.
 */
export async function findPrivateFolder(
  env: (name: string) => string | undefined,
): Promise<string | undefined> {
  const runtime = await toPrivatePath(env("XDG_RUNTIME_DIR"));
  if (runtime !== undefined) return runtime;
  const home = env("HOME");
  const cache = env("XDG_CACHE_HOME") || (home && `${home}/.cache`);
  if (!cache) return undefined;
  const folder = `${cache}/trestle`;
  try {
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  } catch {
    return undefined;
  }
  return await toPrivatePath(folder);
}

/**
 * The same for scripts of other users, who may not enter the folders above: `/var/cache/trestle`.
 */
export async function findPassableFolder(): Promise<string | undefined> {
  try {
    await Deno.mkdir(PASSABLE, { recursive: true });
    await Deno.chmod(PASSABLE, 0o711);
  } catch {
    return undefined;
  }
  return await toPrivatePath(PASSABLE);
}

/** The path without links of a folder that no other user can write to, nor to those above it. */
async function toPrivatePath(folder: string | undefined): Promise<string | undefined> {
  if (!folder) return undefined;
  try {
    const path = await Deno.realPath(folder);
    return await sharedFolderAbove(`${path}/script`) === undefined ? path : undefined;
  } catch {
    return undefined;
  }
}
