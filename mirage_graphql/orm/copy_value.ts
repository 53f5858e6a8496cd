/**
 * A copy of an attribute's value that shares nothing with it: of lists, plain objects and dates. What
 * has a class of its own, such as a `File`, stays what it is.
 */
export function copyValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyValue);
  if (value instanceof Date) return new Date(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return copyAttributes(value);
}

/** A copy of an object whose values share nothing with those of the other. */
export function copyAttributes(attributes: object): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(attributes)) copy[name] = copyValue(value);
  return copy;
}
