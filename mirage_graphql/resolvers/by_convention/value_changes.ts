import { isObject } from "../../orm/mirage.ts";
import { wordsOf } from "../../names.ts";

/** Computes the new value of an attribute from the old one and the operand in the request. */
export type ValueChange = (old: unknown, by: unknown) => unknown;

const CHANGES: readonly (readonly [words: RegExp, change: ValueChange])[] = [
  [/^set$/, (_old, value) => value],
  [/^unset$/, (old, isUnset) => isUnset === true ? null : old],
  [/^inc(rement)?$/, (old, by) => numberOf(old) + numberOf(by)],
  [/^dec(rement)?$/, (old, by) => numberOf(old) - numberOf(by)],
  [/^mul(tiply)?$/, (old, by) => numberOf(old) * numberOf(by)],
  [/^div(ide)?$/, (old, by) => numberOf(old) / numberOf(by)],
  [/^push$/, (old, value) => [...listOf(old), ...listOf(value)]],
  [/^append$/, (old, value) => joined(old, value)],
  [/^prepend$/, (old, value) => joined(value, old)],
  [/^deletekey$/, (old, key) => withoutKey(old, key)],
  [/^deleteelem$/, (old, index) => listOf(old).toSpliced(numberOf(index), 1)],
];

/**
 * How an operation of this name changes an attribute: `increment`, `_inc`, `push`, `_append`,
 * `_delete_key`; `undefined` if no operation has the name.
 */
export function valueChange(name: string): ValueChange | undefined {
  const key = wordsOf(name).join("");
  return CHANGES.find(([words]) => words.test(key))?.[1];
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
