import type { MirageAssociation } from "../orm/mirage.ts";
import type { Orm } from "../orm/orm.ts";
import { inverseOf } from "../orm/writes/inverse_of.ts";
import { hasRef, readRefs, type RecordRef } from "../orm/writes/record_ref.ts";
import { createRecord, updateRecord } from "../orm/writes/write_records.ts";
import { isSeedRow, type SeedLink, type SeedRow } from "./seed_record.ts";
import { ServeError } from "./serve_error.ts";

/** A record that was created, and what it was created from. */
interface Planted {
  readonly row: SeedRow;
  readonly ref: RecordRef;
}

/**
 * Creates the records, then links them, so that it doesn't matter which comes first or which side
 * names the other.
 *
 * @throws {ServeError} Where an id is taken, or leads nowhere, or two records contradict each other;
 * the message has the place of the record.
 */
export function plantSeeds(orm: Orm, rows: readonly SeedRow[]): void {
  const planted = new Map(rows.map((row) => [row, { row, ref: create(orm, row) }]));
  const all = [...planted.values()];
  for (const one of all) one.row.links.forEach((link) => connect(orm, planted, one, link));
  for (const one of all) one.row.links.forEach((link) => check(orm, planted, one, link));
}

function create(orm: Orm, { model, attributes, place }: SeedRow): RecordRef {
  const record = at(place, () => createRecord(orm, model, attributes));
  return { modelName: model.modelName, id: String(record.id) };
}

/** A list gets what is not in it yet, as the other side may have put something there before. */
function connect(
  orm: Orm,
  planted: ReadonlyMap<SeedRow, Planted>,
  { ref }: Planted,
  link: SeedLink,
): void {
  const { relation, place } = link;
  const association = associationOf(orm, ref, link);
  const wanted = refsOf(planted, ref, association, link);
  const there = relation.isList ? current(orm, ref, association) : [];
  const missing = wanted.filter((one) => !hasRef(there, one));
  if (missing.length === 0) return;
  const values = [...there, ...missing].map(({ modelName, id }) =>
    association.isPolymorphic ? { type: modelName, id } : id
  );
  const value = relation.isList ? values : values[0];
  at(place, () => updateRecord(orm, ref, { [relation.name]: value }));
}

function check(
  orm: Orm,
  planted: ReadonlyMap<SeedRow, Planted>,
  { ref }: Planted,
  link: SeedLink,
): void {
  const association = associationOf(orm, ref, link);
  const there = current(orm, ref, association);
  const lost = refsOf(planted, ref, association, link).find((one) => !hasRef(there, one));
  if (lost === undefined) return;
  const inverse = inverseOf(orm.mirageSchema, association, lost.modelName);
  throw new ServeError(
    `${link.place}: Cannot link ${lost.modelName} "${lost.id}": its "${inverse?.name}" leads to ` +
      "another record",
  );
}

function associationOf(orm: Orm, { modelName }: RecordRef, { relation, place }: SeedLink) {
  const association = orm.mirageSchema.associationsFor(modelName)[relation.name];
  if (association !== undefined) return association;
  throw new ServeError(`${place}: Cannot link "${relation.name}": Mirage has no such association`);
}

function current(orm: Orm, ref: RecordRef, association: MirageAssociation): RecordRef[] {
  const model = orm.models.ofModel(ref.modelName);
  const record = model && orm.store.of(model).find(ref.id);
  return record === undefined ? [] : readRefs({ ...record }, association);
}

function refsOf(
  planted: ReadonlyMap<SeedRow, Planted>,
  owner: RecordRef,
  association: MirageAssociation,
  { targets }: SeedLink,
): RecordRef[] {
  return targets.flatMap((target) => {
    if (isSeedRow(target)) return planted.get(target)?.ref ?? [];
    const modelName = target.type ?? association.modelName ?? owner.modelName;
    return { modelName, id: target.id };
  });
}

function at<T>(place: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new ServeError(`${place}: ${message}`, { cause });
  }
}
