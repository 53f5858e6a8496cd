import {
  type MirageRecord,
  type MirageSchema,
  type MirageTable,
  type MockSchema,
  parseMockSchema,
} from "../orm/mirage/mirage_schema.ts";
import { copyRecord, isMap } from "../shared/values.ts";
import type { FirstRecords } from "./first_records.ts";

/** The records of a mock, as the panel reads and writes them. */
export class MockRecords {
  readonly #schema: MirageSchema;
  readonly #start: FirstRecords;

  /** Reads the records of a Mirage schema; `start` are those that `reset()` returns to. */
  constructor(mockSchema: MockSchema, start: FirstRecords) {
    this.#schema = parseMockSchema(mockSchema);
    this.#start = start;
  }

  /** The tables by name, and how many records each has. */
  get tables(): readonly { readonly name: string; readonly size: number }[] {
    return this.#tables.map((table) => ({ name: table.name, size: table.all().length }));
  }

  /** Copies of the records of a table; none if there is no such table. */
  of(name: string): readonly MirageRecord[] {
    return this.#tables.find((table) => table.name === name)?.all() ?? [];
  }

  /** Returns to the first records. */
  reset(): void {
    for (const table of this.#tables) {
      table.remove();
      for (const record of this.#start.of(table.name) ?? []) {
        table.insert(copyRecord(record));
      }
    }
  }

  /** All records, as `db.loadData()` and the seed files of `serve` take them. */
  seeds(): string {
    const lists = this.#tables.map((table) => [table.name, table.all()]);
    return JSON.stringify(Object.fromEntries(lists), null, 2);
  }

  /**
   * Adds a record, whose relations get their other side. Returns its id.
   *
   * @throws {Error} If the text is not a JSON object, or Mirage refuses it.
   */
  add(name: string, text: string): string {
    const record = parseRecord(text);
    const model = this.#modelOf(name);
    const added = model === undefined
      ? this.#table(name).insert(record)
      : this.#schema.create(model, record);
    return String(added.id);
  }

  /**
   * Changes a record; an attribute that the text lacks becomes `null`.
   *
   * @throws {Error} If the text is not a JSON object, its id is another one, or Mirage refuses it.
   */
  change(name: string, id: string, text: string): void {
    const { id: newId = id, ...values } = parseRecord(text);
    if (String(newId) !== id) {
      throw new RangeError(`Cannot change the id "${id}": add a record with the other id`);
    }
    const before = this.#table(name).find(id);
    if (before === null) throw new RangeError(`Cannot change "${id}": there is no such record`);
    const left = Object.keys(before).filter((key) => key !== "id" && !Object.hasOwn(values, key));
    const changes = { ...values, ...Object.fromEntries(left.map((key) => [key, null])) };
    const model = this.#modelOf(name);
    if (model === undefined) this.#table(name).update(id, changes);
    else this.#schema.find(model, id)?.update(changes);
  }

  /** Removes a record, also from the relations of others. */
  remove(name: string, id: string): void {
    const model = this.#modelOf(name);
    if (model === undefined) this.#table(name).remove(id);
    else this.#schema.find(model, id)?.destroy();
  }

  /** What to begin a new record with: the attributes of the latest one, without values. */
  template(name: string): string {
    const { id: _id, ...latest } = this.of(name).at(-1) ?? {};
    const empty = Object.entries(latest).map(([key, value]) => [key, emptyOf(value)]);
    return JSON.stringify(Object.fromEntries(empty), null, 2);
  }

  get #tables(): readonly MirageTable[] {
    return this.#schema.db._collections;
  }

  #table(name: string): MirageTable {
    const table = this.#tables.find((one) => one.name === name);
    if (table !== undefined) return table;
    throw new RangeError(`Cannot find the table "${name}": there is none`);
  }

  /** The model of a table; `undefined` if it has none, so that relations are not known. */
  #modelOf(name: string): string | undefined {
    const modelName = this.#schema.toModelName(name);
    try {
      this.#schema.modelClassFor(modelName);
      return modelName;
    } catch {
      return undefined;
    }
  }
}

/** The record that a text contains. */
function parseRecord(text: string): MirageRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`Cannot read the record as JSON: ${reason}`, { cause });
  }
  if (!isMap(value)) throw new TypeError("Cannot read the record: it must be a JSON object");
  // Mirage's models have their attributes there, and with others it writes another record.
  if (Object.hasOwn(value, "attrs")) {
    throw new RangeError('Cannot use the attribute "attrs": records of Mirage can\'t have it');
  }
  const { id } = value;
  if (id === undefined || id === null || typeof id === "string" || typeof id === "number") {
    return value;
  }
  throw new TypeError(`Cannot use the id "${JSON.stringify(id)}": it must be a text or a number`);
}

function emptyOf(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value === "string") return "";
  return typeof value === "number" ? 0 : typeof value === "boolean" ? false : null;
}
