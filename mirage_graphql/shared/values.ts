/**
 * Copies a value of the database or of a request, including its lists and plain objects at any
 * depth, so that changes of one never affect the other. Dates are copied; files and instances of
 * user-defined classes are not.
 */
export function copyValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyValue);
  if (value instanceof Date) return new Date(value);
  return isPlainObject(value) ? copyRecord(value) : value;
}

const PLAIN = { enumerable: true, writable: true, configurable: true };

/** Copies a record, or an input object, by {@linkcode copyValue}. */
export function copyRecord(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(record)) {
    const value = copyValue(record[key]);
    if (key === "__proto__") Object.defineProperty(copy, key, { ...PLAIN, value });
    else copy[key] = value;
  }
  return copy;
}

/** Whether a value is an object from a literal, from JSON or from a GraphQL input. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether there is a value: neither `null` nor nothing. */
export function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}

/** Whether a value is an object; arrays are included. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Whether a value is an object, of any class, and not a list. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value);
}

/** A property of an object or of its class, if it is not one that every object inherits. */
export function propertyOf(source: object, name: string): PropertyDescriptor | undefined {
  let one: object | null = source;
  while (one !== null && one !== Object.prototype) {
    const found = Object.getOwnPropertyDescriptor(one, name);
    // each class has a constructor
    if (found !== undefined) return name === "constructor" && one !== source ? undefined : found;
    one = Object.getPrototypeOf(one);
  }
  return undefined;
}

/** The value of a property, if it is not one that every object inherits. */
export function valueOf(source: Readonly<Record<string, unknown>>, name: string): unknown {
  const isOwn = !(name in Object.prototype) || propertyOf(source, name) !== undefined;
  return isOwn ? source[name] : undefined;
}

/** Whether `await` would wait for a value. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && typeof value.then === "function";
}

/** Whether a value that may be a promise is one. */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return isPromiseLike(value);
}
