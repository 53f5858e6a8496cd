import type { SqliteFile } from "./sqlite_file.ts";
import type { StoreTurns } from "./store_turns.ts";

/** The servers that share a store, each with a lock that shows whether it is alive. */
export class SqliteServers {
  readonly #file: SqliteFile;
  readonly #turns: StoreTurns;
  readonly #folder: string;
  readonly #own: string;
  readonly #locks = new Map<string, Disposable>();

  constructor(file: SqliteFile, turns: StoreTurns, folder: string, own: string) {
    this.#file = file;
    this.#turns = turns;
    this.#folder = folder;
    this.#own = own;
  }

  /** Registers this server; its lock is held before others can see it. */
  async register(): Promise<void> {
    await this.#hold(this.#own);
    try {
      const sql = "INSERT INTO server (id) VALUES (?)";
      await this.#turns.run(() => this.#file.query(sql, this.#own));
    } catch (error) {
      await this.#release(this.#own);
      throw error;
    }
  }

  /**
   * The servers that are gone. This server then holds their locks, so that no other one cleans up
   * after them.
   */
  async findGone(): Promise<string[]> {
    const sql = "SELECT id FROM server WHERE id <> ?";
    const rows = await this.#turns.read(() => this.#file.query(sql, this.#own));
    const gone: string[] = [];
    for (const id of rows.map((row) => String(row.id))) {
      if (this.#locks.has(id) || await this.#hold(id)) gone.push(id);
    }
    return gone;
  }

  /** Removes a server that is gone. */
  async forget(id: string): Promise<void> {
    await this.#turns.run(() => this.#file.query("DELETE FROM server WHERE id = ?", id));
    await this.#release(id);
  }

  /**
   * Removes this server, unless it has jobs whose end could not be stored: they are lost once its
   * lock is free. Leaves servers that are gone to others.
   */
  async close(): Promise<void> {
    const live = "SELECT 1 FROM job WHERE server = ? AND ended IS NULL LIMIT 1";
    try {
      const left = await this.#turns.read(() => this.#file.query(live, this.#own));
      if (left.length === 0) await this.forget(this.#own);
    } finally {
      this.#releaseAll();
    }
  }

  #releaseAll(): void {
    for (const lock of this.#locks.values()) lock[Symbol.dispose]();
    this.#locks.clear();
  }

  /** Removes a lock that is held, and its file. */
  async #release(id: string): Promise<void> {
    await Deno.remove(this.#pathOf(id)).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    });
    this.#locks.get(id)?.[Symbol.dispose]();
    this.#locks.delete(id);
  }

  async #hold(id: string): Promise<boolean> {
    const lock = await acquire(this.#pathOf(id));
    if (lock !== undefined) this.#locks.set(id, lock);
    return lock !== undefined;
  }
  /** The path of a server's lock, next to the store. */
  #pathOf(id: string): string {
    return `${this.#folder}/jobs-${id}.lock`;
  }
}

/**
 * Acquires the lock of a server, which shows other servers that it is alive; `undefined` if another
 * process holds it. It is a lock on an open file (flock(2)): the kernel releases it when the
 * process ends, however that happens, and unlike a process id, the identity is never reused.
 */
async function acquire(path: string): Promise<Disposable | undefined> {
  const file = await Deno.open(path, { read: true, write: true, create: true, mode: 0o600 });
  if (await file.tryLock(true)) return file;
  file.close();
  return undefined;
}
