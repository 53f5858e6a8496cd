import type { Mock } from "@trestle/mirage-graphql";

/** A record as the database has it: attributes and foreign keys. */
export type TableRecord = Readonly<Record<string, unknown>>;

/** Records by the name of their table. */
export type Tables = Readonly<Record<string, readonly TableRecord[]>>;

/** Copies of the records of some tables. */
export function readTables({ db }: Mock, names: readonly string[]): Tables {
  return Object.fromEntries(names.map((name) => [name, structuredClone([...db[name] ?? []])]));
}

/** The tables that differ from the generated ones. */
export function changedTables(generated: Tables, now: Tables): Tables {
  const changed = Object.entries(now).filter(([name, records]) =>
    JSON.stringify(records) !== JSON.stringify(generated[name])
  );
  return Object.fromEntries(changed);
}

/** The columns of a table, the id first. */
export function columnsOf(records: readonly TableRecord[]): string[] {
  const names = new Set(["id", ...records.flatMap((record) => Object.keys(record))]);
  return [...names];
}

/** A value as a cell shows it; `null` and what is missing are empty. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * Reads what was typed into a cell. A column of texts takes any text; others take JSON, and text
 * that is none. An empty cell is `null`, or an empty text if it had one.
 *
 * @param column The other values of the column, which say what it has.
 */
export function parseCell(text: string, column: readonly unknown[]): unknown {
  const known = column.filter((value) => value !== null && value !== undefined);
  const hasTexts = known.some((value) => typeof value === "string");
  if (text === "") return null;
  if (hasTexts) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A record that knows its relations: changing one side changes the other. */
interface MirageModel {
  update(values: TableRecord): unknown;
  destroy(): void;
}

/** The part of Mirage's schema that edits records. */
interface MirageOrm {
  toModelName(tableName: string): string;
  find(modelName: string, id: string): MirageModel | null;
  create(modelName: string, values: TableRecord): unknown;
}

/** Edits the records of a mock; relations stay the same on both sides. */
export interface RecordEditor {
  /** Adds a record with generated values, and links to one record each. */
  add(tableName: string): void;
  /** @throws {Error} If the value is a foreign key to no record. */
  change(tableName: string, id: string, values: TableRecord): void;
  remove(tableName: string, id: string): void;
}

/** Generates the record that follows `count` others; its id may be taken. */
export type GenerateRecord = (table: {
  readonly tableName: string;
  readonly modelName: string;
  readonly count: number;
}) => TableRecord;

/** Creates the editor of a mock's records. */
export function createRecordEditor({ schema, db }: Mock, generate: GenerateRecord): RecordEditor {
  if (!isOrm(schema)) throw new TypeError("Cannot edit records: the mock has no schema of Mirage");
  const find = (tableName: string, id: string) => {
    const model = schema.find(schema.toModelName(tableName), id);
    if (model === null) throw new Error(`Cannot edit "${tableName} ${id}": it has been removed`);
    return model;
  };
  return {
    add(tableName) {
      const modelName = schema.toModelName(tableName);
      const count = db[tableName]?.length ?? 0;
      const { id: _, ...values } = generate({ tableName, modelName, count });
      // lists would take the records of others
      const own = Object.entries(values).filter(([, value]) => !Array.isArray(value));
      schema.create(modelName, Object.fromEntries(own));
    },
    change: (tableName, id, values) => void find(tableName, id).update(values),
    remove: (tableName, id) => find(tableName, id).destroy(),
  };
}

function isOrm(schema: object): schema is MirageOrm {
  return ["toModelName", "find", "create"].every((name) =>
    typeof Reflect.get(schema, name) === "function"
  );
}
