import { isPlainObject } from "../../values.ts";

/** What a nested operation does to the records of a relation. */
export type OperationName =
  | "set"
  | "disconnect"
  | "delete"
  | "update"
  | "updateMany"
  | "deleteMany"
  | "upsert"
  | "connect"
  | "create"
  | "connectOrCreate";

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

/** Names of operations; `data` creates, as in Hasura, and `createMany` has a list of `data`. */
const NAMES: ReadonlySet<string> = new Set([
  ...ORDER,
  "data",
  "createMany",
  "on_conflict",
  "onConflict",
]);

/** Whether a name is that of an operation. */
export function isOperation(name: string): boolean {
  return NAMES.has(name);
}

/** The operations of an object such as `{ connect: { id: 1 } }`, in the order of their execution. */
export function parseOperations(
  writes: Readonly<Record<string, unknown>>,
): readonly NestedOperation[] {
  const { data, createMany, on_conflict, onConflict = on_conflict, ...others } = writes;
  const creations = [
    ...itemsOf(data).map((create) => operation("create", { create, conflict: onConflict })),
    ...itemsOf(createMany).flatMap(manyOf),
  ];
  const parsed = ORDER.flatMap((name) =>
    Object.hasOwn(others, name) ? parseOperation(name, others[name]) : []
  );
  return [...parsed, ...creations]
    .sort((one, other) => ORDER.indexOf(one.name) - ORDER.indexOf(other.name));
}

function parseOperation(name: OperationName, value: unknown): NestedOperation[] {
  // An empty list removes all records; without a value, nothing is set.
  if (name === "set") return isGiven(value) ? [operation(name, { where: itemsOf(value) })] : [];
  return itemsOf(value === false ? undefined : value).map((item) => {
    const { where, data, create, update } = isPlainObject(item) ? item : {};
    switch (name) {
      case "create":
        return operation(name, { create: item });
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

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function itemsOf(value: unknown): readonly unknown[] {
  if (!isGiven(value)) return [];
  return Array.isArray(value) ? value : [value];
}
