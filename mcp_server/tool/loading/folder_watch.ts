import { dirname } from "node:path/posix";
import { messageOf } from "../../shared/error.ts";
import type { Log } from "../../shared/log.ts";

/** What is watched, and what follows a change. */
interface FolderWatchOptions {
  /** The folders of tools; they may be links that are swapped. */
  readonly folders: readonly string[];
  /** The files of the tools as of the last reload. */
  readonly files: () => ReadonlySet<string>;
  /** Called once nothing has changed for a moment; the next call waits for its end. */
  readonly onChange: () => Promise<void>;
  readonly log: Log;
}

/** How long nothing must change before a reload: editors write a file in several steps. */
const QUIET_MS = 200;
/** How long a reload is put off by files that go on changing. */
const PATIENCE_MS = 2_000;

/**
 * Watches folders and the files that their tools import, until it is disposed of. Changes of a
 * network file system that another machine makes are not seen.
 */
export function watchFolders(options: FolderWatchOptions): Disposable {
  const { log, onChange } = options;
  let isClosed = false;
  let watcher: Deno.FsWatcher | undefined;
  let forwarding = Promise.resolve();
  let quiet: ReturnType<typeof setTimeout> | undefined;
  let since: number | undefined;

  const reload = async () => {
    since = undefined;
    // Deno watches a path once: a folder that was replaced would share the watch of the former one.
    watcher?.close();
    watcher = undefined;
    await forwarding;
    open();
    await onChange();
    open();
  };
  const schedule = () => {
    since ??= performance.now();
    clearTimeout(quiet);
    const left = PATIENCE_MS - (performance.now() - since);
    quiet = setTimeout(() => void reload(), Math.max(0, Math.min(QUIET_MS, left)));
  };
  const open = () => {
    if (isClosed) return;
    const previous = watcher;
    const concerns = matcherOf(options);
    const opened = watcher = openWatcher(concerns.watched, log);
    previous?.close();
    if (opened === undefined) return;
    forwarding = forward(opened, concerns.isOurs, schedule).catch((error) => warn(log, error));
  };
  open();
  return {
    [Symbol.dispose]: () => {
      isClosed = true;
      clearTimeout(quiet);
      watcher?.close();
    },
  };
}

async function forward(
  watcher: Deno.FsWatcher,
  isOurs: (path: string) => boolean,
  onEvent: () => void,
): Promise<void> {
  for await (const { kind, paths } of watcher) {
    if (kind !== "access" && paths.some(isOurs)) onEvent();
  }
}

/** Folders are watched, not files: most editors replace a file instead of writing to it. */
function matcherOf({ folders, files }: FolderWatchOptions) {
  const named = folders.map((folder) => folder.replace(/(?<=.)\/+$/, ""));
  const imported = files();
  const watched = new Set([...named, ...named.map(dirname), ...[...imported].map(dirname)]);
  return {
    watched: [...watched],
    isOurs: (path: string) =>
      imported.has(path) || named.some((folder) => path === folder || dirname(path) === folder),
  };
}

/** Opens a watch of the folders that exist. */
function openWatcher(folders: readonly string[], log: Log): Deno.FsWatcher | undefined {
  const present = folders.filter((folder) => {
    try {
      return Deno.statSync(folder).isDirectory;
    } catch {
      return false;
    }
  });
  try {
    return Deno.watchFs(present, { recursive: false });
  } catch (error) {
    warn(log, error);
    return undefined;
  }
}

function warn(log: Log, error: unknown): void {
  log.warn("tools can't be watched, reload them by SIGHUP", { problem: messageOf(error) });
}
