/** Assigns the ids of one table, as Mirage's identity managers do. */
export interface IdentityManager {
  /** A new id. */
  fetch(): string;
  /** Registers the id of an existing record; throws if another record of the table has it. */
  set(id: string | number): void;
  /** Forgets all ids of the table. */
  reset(): void;
}

/** Ids that are unique across all tables of a server. */
export interface UniqueIds {
  /** For the option `identityManagers` of `createServer()`; Mirage creates one for each table. */
  readonly Manager: new () => IdentityManager;
  /** Skips ids that records will have. */
  reserve(ids: Iterable<unknown>): void;
}

/**
 * Counts ids across all tables, so that `node(id:)` and caches by id never confuse records of two
 * types. Records that are given the same id in two tables keep it.
 */
export function createUniqueIds(): UniqueIds {
  let next = 1;
  const reserveOne = (id: unknown) => {
    const number = Number(id);
    if (Number.isSafeInteger(number) && String(number) === String(id)) {
      next = Math.max(next, number + 1);
    }
  };
  return {
    Manager: class implements IdentityManager {
      readonly #ids = new Set<string>();

      fetch(): string {
        const id = String(next++);
        this.#ids.add(id);
        return id;
      }

      set(id: string | number): void {
        const text = String(id);
        if (this.#ids.has(text)) throw new Error(`Cannot use the id "${text}": it is taken`);
        this.#ids.add(text);
        reserveOne(id);
      }

      reset(): void {
        this.#ids.clear();
      }
    },
    reserve(ids) {
      for (const id of ids) reserveOne(id);
    },
  };
}
