import type { Dialect, NestedOperationName } from "../../dialects/dialect.ts";
import { isGiven, isPlainObject } from "../../shared/values.ts";

/** What a nested operation does to the records of a relation. */
export type OperationName = Exclude<NestedOperationName, "createMany" | "conflict">;

/** One operation on a relation, as in Prisma, Keystone and Hasura. */
export interface NestedOperation {
  readonly name: OperationName;
  /** Which records; `undefined` for the only one, and for those to create. */
  readonly where: unknown;
  /** The values of records to update. */
  readonly data: unknown;
  /** The values of records to create. */
  readonly create: unknown;
  /** What to do if the record exists. */
  readonly conflict: unknown;
}

/** The operations in the order of their execution: removals come before additions. */
const ORDER: readonly OperationName[] = [
  "set",
  "disconnect",
  "delete",
  "deleteMany",
  "update",
  "updateMany",
  "upsert",
  "connect",
  "create",
  "connectOrCreate",
];

/** The operations on relations, by the names that dialects have for them. */
export interface NestedOperations {
  /** Whether a name is that of an operation. */
  has(name: string): boolean;
  /** The operations of an object such as `{ connect: { id: 1 } }`, in the order of execution. */
  parse(writes: Readonly<Record<string, unknown>>): readonly NestedOperation[];
}

/** The operations of some dialects. */
export function createNestedOperations(dialects: readonly Dialect[]): NestedOperations {
  const names = new Map(
    dialects.toReversed().flatMap(({ nested = {} }) => Object.entries(nested)),
  );
  return {
    has: (name) => names.has(name),
    parse(writes) {
      const entries = Object.entries(writes).flatMap(([name, value]) => {
        const operation = names.get(name);
        return operation === undefined ? [] : [[operation, value] as const];
      });
      const conflict = entries.find(([name]) => name === "conflict")?.[1];
      return entries.flatMap(([name, value]) => parseOperation(name, value, conflict))
        .sort((one, other) => ORDER.indexOf(one.name) - ORDER.indexOf(other.name));
    },
  };
}

function parseOperation(
  name: NestedOperationName,
  value: unknown,
  conflict: unknown,
): readonly NestedOperation[] {
  if (name === "conflict") return [];
  if (name === "createMany") return itemsOf(value).flatMap(manyOf);
  // An empty list removes all records; without a value, nothing is set.
  if (name === "set") return isGiven(value) ? [operation(name, { where: itemsOf(value) })] : [];
  return itemsOf(value === false ? undefined : value).map((item) => {
    const { where, data, create, update } = isPlainObject(item) ? item : {};
    switch (name) {
      case "create":
        return operation(name, { create: item, conflict });
      case "update":
      case "updateMany":
        return isUpdateOf(item)
          ? operation(name, { where, data: data ?? update })
          : operation(name, { data: item });
      case "upsert":
        return operation(name, { where, create, data: update ?? data });
      case "connectOrCreate":
        return operation(name, { where, create });
      default:
        return operation(name, { where: item === true ? undefined : whereOf(item) });
    }
  });
}

/** `{ where, data }`, rather than the values themselves. */
function isUpdateOf(item: unknown): boolean {
  return isPlainObject(item) && Object.keys(item).length > 0 &&
    Object.keys(item).every((name) => ["where", "data", "update"].includes(name));
}

/** `{ where: { id: 1 } }` as well as `{ id: 1 }`. */
function whereOf(item: unknown): unknown {
  const isWrapped = isPlainObject(item) && Object.keys(item).join() === "where";
  return isWrapped ? item.where : item;
}

/** The records of `createMany: { data: [...], skipDuplicates }`. */
function manyOf(many: unknown): readonly NestedOperation[] {
  const { data = many, skipDuplicates } = isPlainObject(many) ? many : {};
  const conflict = skipDuplicates === true ? "skip" : undefined;
  return itemsOf(data).map((create) => operation("create", { create, conflict }));
}

function operation(
  name: OperationName,
  { where, data, create, conflict }: Partial<NestedOperation>,
): NestedOperation {
  return { name, where, data, create, conflict };
}

function itemsOf(value: unknown): readonly unknown[] {
  if (!isGiven(value)) return [];
  return Array.isArray(value) ? value : [value];
}
