import type { FileHandle } from "node:fs/promises";
import type { RunAsUser } from "../access/run_as.ts";
import { within } from "../shared/deadline.ts";
import { messageOf } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";
import { toTempFolderError } from "./temp_folder.ts";

/** The start of the names of script folders; random letters and digits follow. */
const PREFIX = "trestle-script-";

/** How often another folder is created, if one is taken for abandoned before it is locked. */
const MOST_FOLDERS = 10;
/** How often the removal of a folder is tried, which a script may still be filling. */
const MOST_TRIES = 3;
/** How long a removal waits for a free descriptor, and how often it looks for one. */
const DESCRIPTOR_MS = 60_000;
const PAUSE_MS = 100;

/** What a script folder is made with. */
interface ScriptFolderOptions {
  readonly log: Log;
  /** The user who runs the script. @default {the server's own} */
  readonly user?: RunAsUser | undefined;
}

/** A folder of mode 0700 for one script. Disposing of it removes it, and never rejects. */
export interface ScriptFolder extends AsyncDisposable {
  /** Its absolute path. */
  readonly path: string;
  /** Writes a file of mode 0600. Rejects with a `TEMP_FOLDER_UNUSABLE`. */
  write(name: string, text: string): Promise<void>;
  /**
   * A path of the folder in `/proc`, above which are none of its parent folders; valid until
   * disposal.
   */
  openHandle(): Promise<string>;
}

/**
 * Creates a folder for one script in the temporary folder. It is locked (flock(2)) as long as this
 * process uses it: one without a lock belongs to a server that was killed.
 *
 * Rejects with a `ToolError` of code `TEMP_FOLDER_UNUSABLE` and leaves nothing.
 */
export async function createScriptFolder(
  temp: string,
  { log, user }: ScriptFolderOptions,
): Promise<ScriptFolder> {
  for (let tries = 1;; tries++) {
    const { path, lock } = await createLocked(temp, log);
    if (lock !== undefined) return await toScriptFolder({ temp, path, lock, log }, user);
    if (tries === MOST_FOLDERS) {
      throw toTempFolderError(temp, new Error(`Cannot keep "${path}": it was removed`));
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

/** A folder that is locked. */
interface LockedParts {
  readonly path: string;
  /** The temporary folder in which it is. */
  readonly temp: string;
  readonly lock: Deno.FsFile;
  readonly log: Log;
}

/** The folder itself, or one of its user's in it. */
async function toScriptFolder(
  parts: LockedParts,
  user: RunAsUser | undefined,
): Promise<ScriptFolder> {
  if (user === undefined) return new LockedFolder(parts, ownFiles(parts.path));
  try {
    return new LockedFolder(parts, await createUserFiles(parts.path, user));
  } catch (cause) {
    parts.lock.close();
    await removeOrLog(parts.path, parts.log);
    throw toTempFolderError(parts.temp, cause);
  }
}

class LockedFolder implements ScriptFolder {
  readonly path: string;
  readonly #parts: LockedParts;
  readonly #files: ScriptFiles;
  #handle: FileHandle | undefined;

  constructor(parts: LockedParts, files: ScriptFiles) {
    this.path = files.path;
    this.#parts = parts;
    this.#files = files;
  }

  async write(name: string, text: string): Promise<void> {
    try {
      await this.#files.write(name, text);
    } catch (cause) {
      throw toTempFolderError(this.#parts.temp, cause);
    }
  }

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
    else logLeft(path, { log, error });
  }
}

async function removeLater(path: string, log: Log): Promise<void> {
  const deadline = performance.now() + DESCRIPTOR_MS;
  for (;;) {
    await pause();
    try {
      return await removeFolder(path);
    } catch (error) {
      if (isOutOfDescriptors(error) && performance.now() < deadline) continue;
      return logLeft(path, { log, error });
    }
  }
}

function logLeft(folder: string, { log, error }: { log: Log; error: unknown }): void {
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

/** The next start removes what is left if this process ends meanwhile, so it need not wait. */
function pause(): Promise<void> {
  return new Promise((resolve) => Deno.unrefTimer(setTimeout(resolve, PAUSE_MS)));
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
  return {
    path,
    write: (name, text) => Deno.writeTextFile(`${path}/${name}`, text, { mode: 0o600 }),
  };
}

/**
 * Creates a folder of a user within a folder of root. The user owns it, and may change everything in
 * it, but can't replace it: whatever path root writes to, it is in this very folder.
 */
export async function createUserFiles(parent: string, user: RunAsUser): Promise<ScriptFiles> {
  const path = `${parent}/${FOLDER}`;
  await Deno.mkdir(path);
  // The folder is still root's, so that no link can be put in the place of a path.
  await Deno.chmod(path, 0o700);
  await Deno.chown(path, user.uid, user.gid);
  await Deno.chmod(parent, 0o711);
  return { path, write: (name, text) => writeFor(user, `${path}/${name}`, text) };
}

const FOLDER = "files";

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
  let sweep = sweeps.get(temp);
  if (sweep === undefined) {
    sweep = sweepFolder(temp, log);
    sweeps.set(temp, sweep);
  }
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
