import { isEnumType, isObjectType } from "graphql";
import type { MirageRecord, MirageTable } from "../orm/mirage/mirage_schema.ts";
import type { MockOrm } from "../resolvers/mock_orm.ts";
import type { SessionState } from "../sessions/session_store.ts";

/** How many schemas have kept records in one storage; those of the oldest are removed. */
const MAX_SCHEMAS = 4;

/** Writes within this time are stored at once; a page that is left stores them without waiting. */
const DELAY_MS = 50;

/** The records of all tables, and who is logged in. */
interface Snapshot {
  readonly tables: Readonly<Record<string, TableSnapshot>>;
  readonly sessions:
    | Omit<SessionState, "ended"> & { readonly ended: readonly string[] }
    | undefined;
}

interface TableSnapshot {
  readonly records: readonly MirageRecord[];
  /** The next id, so that those of deleted records aren't used again. */
  readonly nextId: number | undefined;
}

/** Keeps the records of a mock in a storage of the page; not if it is a test. */
export function keepRecords(
  orm: MockOrm,
  options: Pick<KeptPlace, "prefix" | "warn"> & { readonly persist: "session" | "local" },
): KeptRecords | undefined {
  if (isTest(orm)) return undefined;
  const { persist, prefix, warn } = options;
  const storage = persist === "local" ? localStorage : sessionStorage;
  return new KeptRecords(orm, { storage, prefix, key: prefix + keyOf(orm), warn });
}

/** Mirage puts the server of a test on `window`. */
function isTest({ mirageSchema }: MockOrm): boolean {
  const server = Object(Reflect.get(globalThis, "server"));
  return server.schema === mirageSchema && server.environment === "test";
}

/** Identifies records by what determines their form: the types that have records, and enums. */
function keyOf({ graphQLSchema, models }: MockOrm): string {
  const forms = Object.values(graphQLSchema.getTypeMap()).map((type) => {
    const relations = models.ofType(type.name)?.relations.values();
    if (isEnumType(type)) return type.getValues().map(({ name }) => name);
    if (!isObjectType(type) || relations === undefined) return "";
    const fields = Object.values(type.getFields()).map((field) => [field.name, `${field.type}`]);
    return [type.name, fields, Array.from(relations, ({ foreignKey }) => foreignKey)];
  });
  return hashOf(JSON.stringify(forms));
}

/** @see http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(16);
}

/** Where records are kept. */
export interface KeptPlace {
  readonly storage: Storage;
  /** Start of the names under which mocks keep records. */
  readonly prefix: string;
  /** The name of these records. */
  readonly key: string;
  /** Called with the reason when records can't be kept or restored. */
  readonly warn: (cause: unknown) => void;
}

/**
 * The records of a mock, kept in a storage of the page: restored when it is created, and stored after
 * each write, whatever makes it. If the storage is full, it keeps what it has.
 */
export class KeptRecords {
  readonly #orm: MockOrm;
  readonly #place: KeptPlace;
  readonly #initial: string;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Restores what the storage has, and listens for writes. */
  constructor(orm: MockOrm, place: KeptPlace) {
    this.#orm = orm;
    this.#place = place;
    this.#initial = this.#toText();
    this.#restoreStored();
    const schedule = () => this.#schedule();
    orm.tables.listen(schedule);
    if (orm.sessions !== undefined) orm.sessions.store.onChange = schedule;
    addEventListener("pagehide", () => this.store());
  }

  /** Stores the records now, if there have been writes since they were stored. */
  store(): void {
    if (this.#timer === undefined) return;
    this.#cancel();
    const { storage, key, warn } = this.#place;
    try {
      const text = `${Date.now()} ${this.#toText()}`;
      try {
        storage.setItem(key, text);
      } catch {
        removeOthers(this.#place, 1);
        storage.setItem(key, text);
      }
    } catch (cause) {
      warn(cause);
    }
  }

  /** Removes what the storage has, and returns to the records before the first operation. */
  reset(): void {
    this.#write(this.#initial);
    this.#cancel();
    this.#place.storage.removeItem(this.#place.key);
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.store(), DELAY_MS);
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #restoreStored(): void {
    const { storage, key, warn } = this.#place;
    removeOthers(this.#place, MAX_SCHEMAS);
    const text = storage.getItem(key);
    if (text === null) return;
    try {
      this.#write(text.slice(text.indexOf(" ")));
    } catch (cause) {
      this.#write(this.#initial);
      storage.removeItem(key);
      warn(cause);
    }
  }

  #toText(): string {
    const tables = this.#orm.mirageSchema.db._collections.map((table) =>
      [table.name, {
        records: table.all(),
        nextId: table.identityManager?.get?.(),
      }] as const
    );
    const state = this.#orm.sessions?.store.state;
    const sessions = state && { ...state, ended: [...state.ended] };
    const snapshot: Snapshot = { tables: Object.fromEntries(tables), sessions };
    return JSON.stringify(snapshot, withDates);
  }

  /** Replaces the records; throws if the text is not one that `#toText()` has returned. */
  #write(text: string): void {
    const { tables, sessions }: Snapshot = JSON.parse(text, toDate);
    for (const table of this.#orm.mirageSchema.db._collections) {
      const kept = tables[table.name];
      if (kept !== undefined) writeTable(this.#orm.tables.get(table.name)?.table ?? table, kept);
    }
    const store = this.#orm.sessions?.store;
    if (store && sessions) store.state = { ...sessions, ended: new Set(sessions.ended) };
  }
}

function writeTable(table: MirageTable, { records, nextId = 1 }: TableSnapshot): void {
  table.remove();
  for (const record of records) table.insert(record);
  const last = String(nextId - 1);
  if (nextId > 1 && table.find(last) === null) table.identityManager?.set?.(last);
}

/** Removes what other schemas have left, except for the newest: the limit counts the key's own. */
function removeOthers({ storage, prefix, key }: KeptPlace, limit: number): void {
  const others = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? "")
    .filter((name) => name.startsWith(prefix) && name !== key)
    .map((name) => ({ name, stored: Number.parseInt(storage.getItem(name) ?? "") || 0 }))
    .sort((a, b) => b.stored - a.stored);
  for (const { name } of others.slice(limit - 1)) storage.removeItem(name);
}

/** Dates are kept as such: `{ "$date": "…" }`. */
function withDates(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const own = this[key];
  return own instanceof Date && !isNaN(+own) ? { $date: value } : value;
}

function toDate(_key: string, value: unknown): unknown {
  const [[key, date] = [], ...others] = Object.entries(Object(value));
  return key === "$date" && others.length === 0 ? new Date(String(date)) : value;
}
