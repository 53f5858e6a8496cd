import * as fc from "fast-check";
import { isJsonObject, type JsonObject } from "../shared/json.ts";

/** Values for the properties of some names, wherever they are, in place of any that match. */
export type NamedValues = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/**
 * Generates values that match a JSON Schema; as texts only what programs take too, which have no NUL
 * and no half of a surrogate pair. Knows the keywords that the tools use; throws a
 * `TypeError` for any other, so that none is ignored.
 */
export function jsonArbitrary(schema: JsonObject, named: NamedValues = {}): fc.Arbitrary<unknown> {
  const { title: _, description: __, default: ___, ...checks } = schema;
  if (Array.isArray(checks.anyOf)) {
    return fc.oneof(...checks.anyOf.filter(isJsonObject).map((one) => jsonArbitrary(one, named)));
  }
  ensureKnown(checks);
  if (Array.isArray(checks.enum)) return fc.constantFrom(...checks.enum);
  switch (checks.type) {
    case "string":
      return textOf(checks);
    case "integer":
      return integerOf(checks);
    case "number":
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return listOf(checks, named);
    default:
      return objectOf(checks, named);
  }
}

const KNOWN = new Set([
  ..."type enum pattern minLength maxLength minimum maximum minItems maxItems items".split(" "),
  ..."properties required additionalProperties".split(" "),
]);

function ensureKnown(schema: JsonObject): void {
  const unknown = Object.keys(schema).find((key) => !KNOWN.has(key));
  if (unknown !== undefined) throw new TypeError(`Cannot generate values for "${unknown}"`);
}

function textOf({ pattern, ...bounds }: JsonObject): fc.Arbitrary<string> {
  const least = Number(bounds.minLength ?? 0);
  const most = Number(bounds.maxLength ?? Infinity);
  const isWithin = ({ length }: string) => length >= least && length <= most;
  if (typeof pattern === "string") {
    return fc.stringMatching(new RegExp(pattern, "u")).filter(isWithin);
  }
  const some = fc.string({ unit: "binary" }).map((text) => text.replaceAll("\0", " "))
    .filter(isWithin);
  return most === Infinity ? some : fc.oneof(some, fc.constant("a".repeat(most)));
}

/** Bounds are as likely as values between them; without a bound, JSON has no largest integer. */
function integerOf({ minimum, maximum }: JsonObject): fc.Arbitrary<number> {
  const min = Number(minimum ?? Number.MIN_SAFE_INTEGER);
  const max = Number(maximum ?? Number.MAX_SAFE_INTEGER);
  const bounds = maximum === undefined ? [min, max, 1e300] : [min, max];
  return fc.oneof(fc.constantFrom(...bounds), fc.maxSafeInteger().map((n) => clamp(n, min, max)));
}

function clamp(number: number, min: number, max: number): number {
  return Math.min(Math.max(number, min), max);
}

function listOf(
  { items, minItems, maxItems }: JsonObject,
  named: NamedValues,
): fc.Arbitrary<unknown[]> {
  const item = jsonArbitrary(isJsonObject(items) ? items : {}, named);
  const minLength = Number(minItems ?? 0);
  const some = fc.array(item, { minLength, maxLength: Math.max(4, minLength) });
  if (typeof maxItems !== "number") return some;
  const all = some.filter((list) => list.length > 0)
    .map((list) => Array.from({ length: maxItems }, (_, at) => list[at % list.length]));
  return fc.oneof({ weight: 9, arbitrary: some }, { weight: 1, arbitrary: all });
}

function objectOf(schema: JsonObject, named: NamedValues): fc.Arbitrary<object> {
  const { properties, required, additionalProperties: rest } = schema;
  const known = isJsonObject(properties) ? properties : {};
  const valueOf = (key: string, part: unknown) =>
    (Object.hasOwn(named, key) ? named[key] : undefined) ??
      jsonArbitrary(isJsonObject(part) ? part : {}, named);
  const arbitraries = Object.fromEntries(
    Object.entries(known).map(([key, part]) => [key, valueOf(key, part)]),
  );
  const requiredKeys = Array.isArray(required) ? required.map(String) : [];
  const object = fc.record(arbitraries, { requiredKeys });
  if (!isJsonObject(rest)) return object;
  const variable = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,9}$/);
  const map = fc.dictionary(variable, jsonArbitrary(rest, named), { maxKeys: 4 });
  return fc.tuple(map, object).map(([more, one]) => ({ ...more, ...one }));
}
