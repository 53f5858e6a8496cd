import { type ObjectSpec, relationsOf, type RelationSpec, type SchemaSpec } from "./schema_spec.ts";

/** A record in its simplest form: no ORM, no foreign keys. */
export interface PlainRecord {
  readonly typeName: string;
  readonly id: string;
  readonly attributes: Record<string, unknown>;
  /** The targets of each seeded relation. */
  readonly links: Map<string, readonly PlainRecord[]>;
}

/** A schema and its records, which may change. */
export interface World {
  readonly spec: SchemaSpec;
  records: readonly PlainRecord[];
}

/** All records of the types, one type after the other. */
export function recordsOf({ records }: World, typeNames: readonly string[]): PlainRecord[] {
  return typeNames.flatMap((name) => records.filter(({ typeName }) => typeName === name));
}

/** The records that a relation leads to; for a derived one, they are found from the other side. */
export function relatedTo(world: World, record: PlainRecord, relation: RelationSpec) {
  const { name, inverse, isDerived, targets } = relation;
  if (!isDerived) {
    return (record.links.get(name) ?? []).filter((other) => world.records.includes(other));
  }
  return recordsOf(world, targets)
    .filter((other) => other.links.get(inverse ?? "")?.includes(record));
}

/** The relation of a record's type with that name or foreign key. */
export function relationNamed(
  { spec }: World,
  typeName: string,
  name: string,
): RelationSpec | undefined {
  return relationsOf(spec, typeName).find((one) => one.name === name || one.foreignKey === name);
}

/** The object type of a record. */
export function objectOf({ spec }: World, typeName: string): ObjectSpec {
  const object = spec.objects.find(({ name }) => name === typeName);
  if (object === undefined) {
    throw new RangeError(`Cannot find the type "${typeName}": there is none`);
  }
  return object;
}
