import { realpathSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";

/** Editors write a file in several steps. */
const QUIET_MS = 60;

/** What to watch. */
export interface WatchedPaths {
  readonly files: readonly string[];
  /** Folders in which files may appear and disappear; those below are listed too. */
  readonly folders: readonly string[];
}

/**
 * Calls back after one of the files has changed, or the list of files has, once for a series of
 * changes. It watches folders, because many editors replace a file with a new one; of a link it
 * watches both ends. `list` is called again when something appears or disappears; if it rejects,
 * the files listed before are still watched.
 */
export async function watchFiles(
  list: () => Promise<WatchedPaths>,
  onChange: () => void,
): Promise<AsyncDisposable> {
  const watch = new Watch(list, onChange);
  await watch.open();
  return watch;
}

class Watch implements AsyncDisposable {
  readonly #list: () => Promise<WatchedPaths>;
  readonly #onChange: () => void;
  #watched: WatchedPaths = { files: [], folders: [] };
  #watcher: Deno.FsWatcher | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #settling = Promise.resolve();
  #isChanged = false;
  #isClosed = false;

  constructor(list: () => Promise<WatchedPaths>, onChange: () => void) {
    this.#list = list;
    this.#onChange = onChange;
  }

  async open(): Promise<void> {
    this.#watched = await this.#list();
    this.#follow();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#settling;
    this.#watcher?.close();
  }

  /** Reports the events of the watched paths until other paths are watched. */
  async #follow(): Promise<void> {
    const { files, folders } = this.#watched;
    const paths = files.flatMap(bothEnds);
    const names = new Set(paths.map((path) => basename(path)));
    const parents = [
      ...paths.map((path) => dirname(path)),
      ...folders.map((path) => resolve(path)),
    ];
    const watcher = Deno.watchFs([...new Set(parents)].filter(exists), { recursive: false });
    this.#watcher?.close();
    this.#watcher = watcher;
    for await (const { kind, paths: changed } of watcher) {
      if (kind === "access") continue;
      const isKnown = changed.some((path) => names.has(basename(path)));
      const isListed = kind === "modify" || folders.length === 0;
      if (!isKnown && isListed) continue;
      this.#isChanged ||= isKnown;
      this.#wait();
    }
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#settling = this.#settling.then(() => this.#settle());
    }, QUIET_MS);
  }

  async #settle(): Promise<void> {
    const before = this.#watched;
    const next = await this.#list().catch(() => before);
    if (this.#isClosed) return;
    this.#isChanged ||= next.files.join("\n") !== before.files.join("\n");
    if (JSON.stringify(next) !== JSON.stringify(before)) {
      this.#watched = next;
      this.#follow();
      // files that appeared before they were watched
      this.#wait();
    }
    if (!this.#isChanged) return;
    this.#isChanged = false;
    this.#onChange();
  }
}

/** A path, and where it leads if it is a link. */
function bothEnds(path: string): string[] {
  return exists(path) ? [resolve(path), realpathSync(path)] : [resolve(path)];
}

function exists(path: string): boolean {
  try {
    realpathSync(path);
    return true;
  } catch {
    return false;
  }
}
