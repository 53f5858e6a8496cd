import { copyRecord, isPlainObject } from "../../shared/values.ts";
import type {
  MirageAssociation,
  MirageRecord,
  MirageSchema,
  MirageTable,
} from "../mirage/mirage_schema.ts";
import { toModelName } from "../mirage/model_names.ts";
import type { ModelMap } from "../models/model_map.ts";
import { type IdContext, readKey, toTableId } from "../records/record_ids.ts";

/** Identifies one record of the database. */
export interface RecordRef {
  /** Dasherized name of the model. */
  readonly modelName: string;
  /** Id within the model. */
  readonly id: string;
}

/** The reference of a database record. */
export function toRecordRef(modelName: string, record: Readonly<MirageRecord>): RecordRef {
  return { modelName, id: String(record.id) };
}

/** Reads the foreign key of an association: the records that it leads to. */
export function readRefs(
  record: Readonly<MirageRecord>,
  association: MirageAssociation,
): RecordRef[] {
  const value = record[association.foreignKey];
  const keys: unknown[] = Array.isArray(value) ? value : [value];
  return keys.flatMap((key) => toRef(key, association) ?? []);
}

/** Creates the foreign key of an association: always a new value, which is not shared. */
export function toForeignKey(refs: readonly RecordRef[], association: MirageAssociation): unknown {
  const keys = refs.map(({ modelName, id }) =>
    association.isPolymorphic ? { type: modelName, id } : id
  );
  return association.type === "hasMany" ? keys : keys[0] ?? null;
}

/** A reference as text, `blog-post:1`; model names contain no colon. */
export function refKey({ modelName, id }: RecordRef): string {
  return `${modelName}:${id}`;
}

/** Whether two references identify the same record. */
export function isSameRef(one: RecordRef, other: RecordRef): boolean {
  return one.id === other.id && one.modelName === other.modelName;
}

/** Whether a list of references contains a reference. */
export function hasRef(refs: readonly RecordRef[], ref: RecordRef): boolean {
  return refs.some((other) => isSameRef(other, ref));
}

function toRef(key: unknown, association: MirageAssociation): RecordRef | undefined {
  if (key === null || key === undefined) return undefined;
  if (!association.isPolymorphic) return { modelName: association.modelName, id: String(key) };
  return isPlainObject(key) ? { modelName: modelNameOf(key), id: String(key.id) } : undefined;
}

/** Seeds may contain `blogPost` or `BlogPost`, which Mirage treats as `blog-post` too. */
function modelNameOf({ type }: Record<string, unknown>): string {
  const name = String(type);
  return /[A-Z_]/.test(name) ? toModelName(name) : name;
}

/** A copy of a record; `undefined` if there is none. */
export function findRecord(mirageSchema: MirageSchema, ref: RecordRef): MirageRecord | undefined {
  const record = tableOf(mirageSchema, ref.modelName).find(ref.id);
  return record === null ? undefined : copyRecord(record);
}

/** Whether the database has a record. */
export function hasRecord(mirageSchema: MirageSchema, ref: RecordRef): boolean {
  return tableOf(mirageSchema, ref.modelName).find(ref.id) !== null;
}

/** Whose ids requests name: the models, their tables, and the form of ids. */
interface IdOwner extends IdContext {
  readonly mirageSchema: MirageSchema;
  readonly models: ModelMap;
}

/**
 * The id in its table of the record that an id of a request names: a local or global one, or the
 * value of the field that its type has instead. If there is none, that is the id as it is given.
 */
export function storedId(context: IdOwner, modelName: string, id: unknown): string {
  const { mirageSchema, models } = context;
  const model = models.ofModel(modelName);
  if (model === undefined) return String(id);
  const [record] = model.key === undefined ? [] : tableOf(mirageSchema, modelName)
    .where((record: MirageRecord) => String(readKey(context, model, record)) === String(id));
  return String(record === undefined ? toTableId(context, model, id) : record.id);
}

/**
 * The table of a model.
 *
 * @throws {RangeError} If the database has none.
 */
export function tableOf(mirageSchema: MirageSchema, modelName: string): MirageTable {
  const name = mirageSchema.toCollectionName(modelName);
  const table = mirageSchema.db._collections.find((collection) => collection.name === name);
  if (table === undefined) {
    throw new RangeError(`Cannot use table "${name}": Mirage's database has none for ${modelName}`);
  }
  return table;
}
