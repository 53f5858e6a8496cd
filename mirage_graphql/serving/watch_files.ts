import { reasonOf } from "./schema_files.ts";
import { type WatchedPaths, type WatchScope, watchScopeOf } from "./watch_scope.ts";

/** Editors write a file in several steps. */
const QUIET_MS = 60;
/** A folder may disappear after it was found and before it is watched, but not again and again. */
const ATTEMPTS = 3;

/** What is called while files are watched. */
export interface WatchEvents {
  /** Called once for a series of changes of files, or of the list of them. */
  onChange(): void;
  /**
   * Called with the reason if changes can't be watched, such as a limit of the system, and not again
   * as long as the reason stays the same; what was watched before still is, if no folder has moved.
   */
  onError(reason: string): void;
}

/**
 * Watches files. `list` is called again when something appears or disappears; if it rejects, the
 * files listed before are still watched. A folder that is removed is watched again once it is back.
 *
 * @throws If `list` rejects at the start.
 */
export async function watchFiles(
  list: () => Promise<WatchedPaths>,
  events: WatchEvents,
): Promise<AsyncDisposable> {
  const watch = new Watch(list, events);
  await watch.open();
  return watch;
}

class Watch implements AsyncDisposable {
  readonly #list: () => Promise<WatchedPaths>;
  readonly #events: WatchEvents;
  #watched: WatchedPaths = { files: [], folders: [] };
  #scope: WatchScope = watchScopeOf(this.#watched);
  #watcher: Deno.FsWatcher | undefined;
  #reading = Promise.resolve();
  #failure: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #settling = Promise.resolve();
  #isChanged = false;
  /** Whether the system may still watch a folder that was removed or renamed. */
  #isMoved = false;
  #isClosed = false;

  constructor(list: () => Promise<WatchedPaths>, events: WatchEvents) {
    this.#list = list;
    this.#events = events;
  }

  async open(): Promise<void> {
    this.#watched = await this.#list();
    this.#follow();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#settling;
    await this.#stop();
  }

  /** Closes the watcher, and waits until the system watches nothing for it. */
  async #stop(): Promise<void> {
    this.#watcher?.close();
    this.#watcher = undefined;
    await this.#reading;
  }

  /** Whether the folders of the listed paths are watched; if not, those before still are. */
  #follow(): boolean {
    try {
      const { watcher, scope } = openWatcher(this.#watched);
      this.#watcher?.close();
      this.#watcher = watcher;
      this.#scope = scope;
      this.#failure = undefined;
      this.#reading = this.#readEvents(watcher, scope).catch((cause) => this.#fail(cause));
      return true;
    } catch (cause) {
      this.#fail(cause);
      return false;
    }
  }

  /** Reads the events of one watcher until it is closed. */
  async #readEvents(watcher: Deno.FsWatcher, scope: WatchScope): Promise<void> {
    for await (const event of watcher) {
      const change = scope.changeOf(event);
      if (change === undefined) continue;
      this.#isMoved ||= change === "folder";
      this.#isChanged ||= change !== "list";
      this.#wait();
    }
  }

  #fail(cause: unknown): void {
    // the system's errors end with the path that was the first too many
    const reason = reasonOf(cause).replace(/\.?( about \[.*)?$/s, "");
    if (this.#isClosed || reason === this.#failure) return;
    this.#failure = reason;
    this.#events.onError(reason);
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
    const isMoved = this.#isMoved || this.#scope.isOutdated();
    this.#isMoved = false;
    this.#isChanged ||= isMoved || next.files.join("\n") !== before.files.join("\n");
    if (isMoved || JSON.stringify(next) !== JSON.stringify(before)) {
      this.#watched = next;
      // Deno watches a path once: a folder that is back would share the watch of the removed one
      if (isMoved) await this.#stop();
      // files and folders may have appeared before they were watched
      if (this.#follow()) this.#wait();
    }
    if (this.#isClosed || !this.#isChanged) return;
    this.#isChanged = false;
    this.#events.onChange();
  }
}

function openWatcher(
  paths: WatchedPaths,
): { readonly watcher: Deno.FsWatcher; readonly scope: WatchScope } {
  for (let attempt = 1;; attempt++) {
    const scope = watchScopeOf(paths);
    try {
      return { watcher: Deno.watchFs([...scope.folders], { recursive: false }), scope };
    } catch (cause) {
      if (attempt === ATTEMPTS || !(cause instanceof Deno.errors.NotFound)) throw cause;
    }
  }
}
