import type { MirageRecord } from "../mirage/mirage_schema.ts";
import type { MockModel, ModelMap } from "../models/model_map.ts";
import { MockRecord, type RecordStore } from "./record_store.ts";
import type { TableWrite, TableWrites } from "./table_writes.ts";

/** What can happen to a record. */
export type ChangeKind = "created" | "updated" | "deleted";

/** All that can happen to a record. */
export const CHANGE_KINDS: readonly ChangeKind[] = ["created", "updated", "deleted"];

/** What one synchronous block of code has done to a record. */
export interface RecordChange {
  readonly kind: ChangeKind;
  readonly model: MockModel;
  /** The current record; a deleted one as it was before. */
  readonly record: MockRecord;
}

/** Which changes a listener is notified of. */
export interface ChangeListener {
  readonly kind: ChangeKind;
  readonly models: readonly MockModel[];
  /** Called for each change. It must not throw. */
  onChange(change: RecordChange): void;
}

/** A record that was written to, until listeners are notified. */
interface Pending {
  readonly model: MockModel;
  readonly id: string;
  /** Whether it existed before the first write. */
  readonly wasThere: boolean;
  /** The record as it was when it was deleted. */
  deleted?: MirageRecord;
}

/**
 * Notifies listeners of changed records, whatever wrote them. The writes of one synchronous block
 * of code are reported after it, as one change per record, when both sides of new relations are
 * set: created and updated counts as created, created and deleted as nothing, and so does an update
 * that changes nothing. To detect that, the records of a model are kept as text while there is a
 * listener for its updates.
 */
export class RecordChanges {
  readonly #store: RecordStore;
  readonly #tables: TableWrites;
  readonly #models: ReadonlyMap<string, MockModel>;
  readonly #listeners = new Set<ChangeListener>();
  readonly #texts = new Map<MockModel, Map<string, string>>();
  #pending = new Map<string, Pending>();
  #stop: (() => void) | undefined;

  /** Starts without listeners; tables are not watched until there is one. */
  constructor({ models }: ModelMap, tables: TableWrites, store: RecordStore) {
    this.#models = new Map(models.map((model) => [model.collectionName, model]));
    this.#tables = tables;
    this.#store = store;
  }

  /** Notifies a listener of later writes, until the returned function is called. */
  listen(listener: ChangeListener): () => void {
    this.#flush();
    this.#stop ??= this.#tables.listen((write) => this.#note(write));
    const own = { ...listener };
    this.#listeners.add(own);
    this.#keepTexts();
    return () => {
      if (!this.#listeners.delete(own)) return;
      this.#keepTexts();
      if (this.#listeners.size > 0) return;
      this.#stop?.();
      this.#stop = undefined;
      this.#pending.clear();
    };
  }

  /** Keeps the texts of the models whose updates have a listener. */
  #keepTexts(): void {
    const watched = new Set<MockModel>();
    for (const { kind, models } of this.#listeners) {
      if (kind === "updated") models.forEach((model) => watched.add(model));
    }
    for (const model of this.#texts.keys()) {
      if (!watched.has(model)) this.#texts.delete(model);
    }
    for (const model of watched) {
      if (this.#texts.has(model)) continue;
      const records = this.#store.of(model).select();
      this.#texts.set(model, new Map(records.map((one) => [String(one.id), toText(one)])));
    }
  }

  #note({ collectionName, kind, records }: TableWrite): void {
    const model = this.#models.get(collectionName);
    if (model === undefined) return;
    if (this.#pending.size === 0) queueMicrotask(() => this.#flush());
    for (const record of records) {
      const id = String(record.id);
      const key = `${model.modelName} ${id}`;
      const pending = this.#pending.get(key) ?? { model, id, wasThere: kind !== "created" };
      if (kind === "deleted") pending.deleted = record;
      this.#pending.set(key, pending);
    }
  }

  #flush(): void {
    if (this.#pending.size === 0) return;
    const pending = [...this.#pending.values()];
    this.#pending = new Map();
    for (const change of pending.flatMap((one) => this.#changesOf(one))) {
      for (const { kind, models, onChange } of [...this.#listeners]) {
        if (kind === change.kind && models.includes(change.model)) onChange(change);
      }
    }
  }

  #changesOf({ model, id, wasThere, deleted }: Pending): RecordChange[] {
    const texts = this.#texts.get(model);
    const record = this.#store.of(model).find(id);
    if (record === undefined) {
      texts?.delete(id);
      if (!wasThere || deleted === undefined) return [];
      return [{ kind: "deleted", model, record: new MockRecord(model, deleted) }];
    }
    const text = texts && toText(record);
    const isChanged = text !== texts?.get(id);
    if (text !== undefined) texts?.set(id, text);
    if (!wasThere) return [{ kind: "created", model, record }];
    return isChanged ? [{ kind: "updated", model, record }] : [];
  }
}

/** The text by which records are compared; a record that JSON can't represent counts as changed. */
function toText(record: Readonly<MirageRecord>): string {
  try {
    return JSON.stringify(record);
  } catch {
    return crypto.randomUUID();
  }
}
