import { isJsonObject, type JsonObject } from "../shared/json.ts";

/** A value cut down to its first misfits, and how many misfits the whole value has. */
interface MisfitSample {
  /** How many values, at any depth, don't match the JSON Schema. */
  readonly misfits: number;
  /** The value without the list and map entries after its first `most` misfits. */
  readonly value: unknown;
}

/**
 * Compares a value with a JSON Schema: types, lengths of lists, patterns and unknown keys. Takes
 * time in proportion to the value, whereas a schema library creates an issue for every misfit,
 * which takes seconds and gigabytes for a body of a few megabytes.
 */
export function sampleMisfits(schema: JsonObject, value: unknown, most: number): MisfitSample {
  const sampler = new Sampler(most);
  const sample = sampler.take(schema, value);
  return { misfits: sampler.misfits, value: sample };
}

class Sampler {
  misfits = 0;
  readonly #most: number;
  readonly #patterns = new Map<string, RegExp | undefined>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts the misfits of a value, and returns what the sample keeps of it. */
  take(schema: JsonObject, value: unknown): unknown {
    const option = this.#optionFor(schema, value);
    const { items, maxItems = Infinity } = option ?? {};
    const isLong = Array.isArray(value) && value.length > Number(maxItems);
    if (option === undefined || isLong) {
      this.misfits++;
      return value;
    }
    if (isJsonObject(value)) return this.#takeObject(option, value);
    return Array.isArray(value) && isJsonObject(items) ? this.#takeList(items, value) : value;
  }

  /** The schema, or the first one of its `anyOf`, that the value matches; `undefined` if none. */
  #optionFor(schema: JsonObject, value: unknown): JsonObject | undefined {
    const { type, pattern, anyOf } = schema;
    if (!hasType(type, value) || !this.#hasPattern(pattern, value)) return undefined;
    if (!Array.isArray(anyOf)) return schema;
    for (const option of anyOf) {
      const found = isJsonObject(option) ? this.#optionFor(option, value) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #takeList(items: JsonObject, list: readonly unknown[]): unknown {
    const kept: unknown[] = [];
    for (const item of list) {
      const isFull = this.misfits > this.#most;
      const taken = this.take(items, item);
      if (!isFull) kept.push(taken);
    }
    return kept;
  }

  /** Named keys come first, and are all kept. */
  #takeObject({ properties, additionalProperties }: JsonObject, object: JsonObject): unknown {
    const named = isJsonObject(properties) ? properties : {};
    const present = Object.keys(named).filter((key) => Object.hasOwn(object, key));
    const kept = present.map((key) => [key, this.#takeValue(named[key], object[key])]);
    for (const [key, value] of Object.entries(object)) {
      if (Object.hasOwn(named, key)) continue;
      const isFull = this.misfits > this.#most;
      if (additionalProperties === false) this.misfits++;
      const taken = this.#takeValue(additionalProperties, value);
      if (!isFull) kept.push([key, taken]);
    }
    return Object.fromEntries(kept);
  }

  #takeValue(schema: unknown, value: unknown): unknown {
    return isJsonObject(schema) ? this.take(schema, value) : value;
  }

  #hasPattern(pattern: unknown, value: unknown): boolean {
    if (typeof pattern !== "string" || typeof value !== "string") return true;
    if (!this.#patterns.has(pattern)) this.#patterns.set(pattern, toRegExp(pattern));
    return this.#patterns.get(pattern)?.test(value) ?? true;
  }
}

function toRegExp(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined; // The library that created the pattern checks it with its own flags.
  }
}

/** Whether a value has one of the types (JSON Schema 2020-12, Validation, 6.1.1). */
function hasType(types: unknown, value: unknown): boolean {
  if (Array.isArray(types)) return types.some((type) => hasType(type, value));
  if (types === "integer") return Number.isInteger(value);
  if (types === "array") return Array.isArray(value);
  if (types === "object") return isJsonObject(value);
  if (types === "null") return value === null;
  return types === undefined || typeof value === types;
}
