import { messageOf } from "../../shared/error.ts";
import type { Log } from "../../shared/log.ts";
import { within } from "../../shared/deadline.ts";
import { PREFIX } from "./script_folder.ts";

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
