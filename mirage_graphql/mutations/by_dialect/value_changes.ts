import type { Dialect, ValueChangeName } from "../../dialects/dialect.ts";
import { wordsOf } from "../../shared/names.ts";
import { isObject } from "../../shared/values.ts";

/** Computes the new value of an attribute from the old one and the operand in the request. */
type ValueChange = (old: unknown, by: unknown) => unknown;

const CHANGES: Readonly<Record<ValueChangeName, ValueChange>> = {
  set: (_old, value) => value,
  unset: (old, isUnset) => isUnset === true ? null : old,
  increment: (old, by) => numberOf(old) + numberOf(by),
  decrement: (old, by) => numberOf(old) - numberOf(by),
  multiply: (old, by) => numberOf(old) * numberOf(by),
  divide: (old, by) => numberOf(old) / numberOf(by),
  push: (old, value) => [...listOf(old), ...listOf(value)],
  append: (old, value) => joined(old, value),
  prepend: (old, value) => joined(value, old),
  deleteKey: (old, key) => withoutKey(old, key),
  deleteElement: (old, index) => listOf(old).toSpliced(numberOf(index), 1),
};

/** How attributes are changed, by the names that dialects have for it. */
export interface Changes {
  /** Whether an operation has this name. */
  has(name: string): boolean;
  /** The new value. */
  apply(name: string, old: unknown, by: unknown): unknown;
}

/** The operations of some dialects, whose names are the same in any casing. */
export function createChanges(dialects: readonly Dialect[]): Changes {
  const keyOf = (name: string) => wordsOf(name).join("");
  const names = new Map<string, ValueChangeName>();
  for (const { changes = {} } of dialects) {
    for (const [name, change] of Object.entries(changes)) {
      if (!names.has(keyOf(name))) names.set(keyOf(name), change);
    }
  }
  const changeOf = (name: string) => CHANGES[names.get(keyOf(name)) ?? "set"];
  return {
    has: (name) => names.has(keyOf(name)),
    apply: (name, old, by) => changeOf(name)(old, by),
  };
}
function numberOf(value: unknown): number {
  return Number(value ?? 0);
}

/**
 * Joins JSON as PostgreSQL does: of two objects the later one wins, and everything else becomes a
 * list.
 */
function joined(first: unknown, second: unknown): unknown {
  if (first === null || first === undefined) return second;
  if (second === null || second === undefined) return first;
  const isList = Array.isArray(first) || Array.isArray(second);
  if (!isList && isObject(first) && isObject(second)) return { ...first, ...second };
  return [first, second].flat();
}

function withoutKey(old: unknown, key: unknown): unknown {
  if (Array.isArray(old)) return old.filter((item) => item !== key);
  if (!isObject(old)) return old;
  return Object.fromEntries(Object.entries(old).filter(([name]) => name !== key));
}

function listOf(value: unknown): readonly unknown[] {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
