import type { MirageAssociation, MirageRecord } from "../orm/mirage/mirage_schema.ts";
import type { Orm } from "../orm/orm.ts";
import { inverseOf } from "../orm/mirage/inverse_of.ts";
import { hasRef, readRefs, type RecordRef, tableOf } from "../orm/writes/record_ref.ts";
import { createRecord, updateRecord } from "../orm/writes/write_records.ts";
import { isSeedRecord, type SeedLink, type SeedRecord } from "./read_seeds.ts";
import { ServeError } from "./serve_error.ts";

/** A created record, and what it was created from. */
interface Inserted {
  readonly record: SeedRecord;
  readonly ref: RecordRef;
}

/**
 * Creates the records, then links them, so that neither their order nor the side that refers to the
 * other matters.
 *
 * @throws {ServeError} If an id is taken or unknown, or if two records contradict each other; the
 * message has the path of the record.
 */
export function insertSeeds(orm: Orm, records: readonly SeedRecord[]): void {
  const inserted = new Map(records.map((record) => [record, { record, ref: create(orm, record) }]));
  const all = [...inserted.values()];
  for (const one of all) one.record.links.forEach((link) => connect(orm, inserted, one, link));
  for (const one of all) one.record.links.forEach((link) => check(orm, inserted, one, link));
}

/** Inserts complete records, whose relations agree. */
export function insertTables(
  { models, mirageSchema }: Orm,
  tables: Readonly<Record<string, readonly MirageRecord[]>>,
): void {
  for (const { collectionName, modelName } of models.models) {
    const table = tableOf(mirageSchema, modelName);
    for (const record of tables[collectionName] ?? []) table.insert(record);
  }
}

function create(orm: Orm, { model, attributes, path }: SeedRecord): RecordRef {
  // what a record must not lack, another one may link to it
  const completion = orm.completion && { ...orm.completion, links: () => [] };
  const context = { ...orm, completion };
  const record = at(path, () => createRecord(context, model, attributes));
  return { modelName: model.modelName, id: String(record.id) };
}

/** Adds only missing records to a list, because the other side may have filled it. */
function connect(
  orm: Orm,
  inserted: ReadonlyMap<SeedRecord, Inserted>,
  { ref }: Inserted,
  link: SeedLink,
): void {
  const { relation, path } = link;
  const association = associationOf(orm, ref, link);
  const targets = refsOf(inserted, ref, association, link);
  const there = relation.isList ? current(orm, ref, association) : [];
  const missing = targets.filter((one) => !hasRef(there, one));
  if (missing.length === 0) return;
  const values = [...there, ...missing].map(({ modelName, id }) =>
    association.isPolymorphic ? { type: modelName, id } : id
  );
  const value = relation.isList ? values : values[0];
  at(path, () => updateRecord(orm, ref, { [relation.name]: value }));
}

function check(
  orm: Orm,
  inserted: ReadonlyMap<SeedRecord, Inserted>,
  { ref }: Inserted,
  link: SeedLink,
): void {
  const association = associationOf(orm, ref, link);
  const there = current(orm, ref, association);
  const lost = refsOf(inserted, ref, association, link).find((one) => !hasRef(there, one));
  if (lost === undefined) return;
  const inverse = inverseOf(orm.mirageSchema, association, lost.modelName);
  throw new ServeError(
    `${link.path}: Cannot link ${lost.modelName} "${lost.id}": its "${inverse?.name}" leads to ` +
      "another record",
  );
}

function associationOf(orm: Orm, { modelName }: RecordRef, { relation, path }: SeedLink) {
  const association = orm.mirageSchema.associationsFor(modelName)[relation.association];
  if (association !== undefined) return association;
  throw new ServeError(`${path}: Cannot link "${relation.name}": Mirage has no such association`);
}

function current(orm: Orm, ref: RecordRef, association: MirageAssociation): RecordRef[] {
  const model = orm.models.ofModel(ref.modelName);
  const record = model && orm.store.of(model).find(ref.id);
  return record === undefined ? [] : readRefs({ ...record }, association);
}

function refsOf(
  inserted: ReadonlyMap<SeedRecord, Inserted>,
  owner: RecordRef,
  association: MirageAssociation,
  { targets }: SeedLink,
): RecordRef[] {
  return targets.flatMap((target) => {
    if (isSeedRecord(target)) return inserted.get(target)?.ref ?? [];
    const modelName = target.type ?? association.modelName ?? owner.modelName;
    return { modelName, id: target.id };
  });
}

function at<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new ServeError(`${path}: ${message}`, { cause });
  }
}
