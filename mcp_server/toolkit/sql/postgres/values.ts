import type { JsonValue } from "../../../domain/json.ts";
import { parseExactJson } from "./exact_json.ts";
import { type ArrayItems, parsePostgresArray } from "./array.ts";
import { byteaToBase64 } from "./bytea.ts";
import { toIsoTime } from "./time.ts";

/** What an array type holds. */
export interface ArrayType {
  readonly element: number;
  readonly delimiter: string;
}

type Reader = (text: string) => JsonValue;

const asText: Reader = (text) => text;
const asBoolean: Reader = (text) => text === "t";
/** `NaN` and `Infinity` have no JSON number. */
const asNumber: Reader = (text) => Number.isFinite(Number(text)) ? Number(text) : text;

/** How values of built-in types are read, by the type's id and that of its array (pg_type.dat). */
const TYPES: readonly (readonly [id: number, arrayId: number, read: Reader])[] = [
  [16, 1000, asBoolean], // bool
  [17, 1001, byteaToBase64], // bytea
  [18, 1002, asText], // "char"
  [19, 1003, asText], // name
  [20, 1016, asText], // int8
  [21, 1005, asNumber], // int2
  [23, 1007, asNumber], // int4
  [25, 1009, asText], // text
  [26, 1028, asNumber], // oid
  [114, 199, parseExactJson], // json
  [700, 1021, asNumber], // float4
  [701, 1022, asNumber], // float8
  [705, 0, asText], // unknown
  [790, 791, asText], // money
  [869, 1041, asText], // inet
  [1042, 1014, asText], // bpchar
  [1043, 1015, asText], // varchar
  [1082, 1182, toIsoTime], // date
  [1083, 1183, asText], // time
  [1114, 1115, toIsoTime], // timestamp
  [1184, 1185, toIsoTime], // timestamptz
  [1186, 1187, asText], // interval
  [1266, 1270, asText], // timetz
  [1700, 1231, asText], // numeric
  [2278, 0, asText], // void
  [2950, 2951, asText], // uuid
  [3802, 3807, parseExactJson], // jsonb
];

const READERS = new Map(TYPES.map(([id, , read]) => [id, read]));
const ARRAYS: ReadonlyMap<number, ArrayType> = new Map(
  TYPES.map(([id, arrayId]) => [arrayId, { element: id, delimiter: "," }]),
);

/** What is known of types: `undefined` of one that must be looked up, `null` of one that is no array. */
export type ArrayLookup = (type: number) => ArrayType | null | undefined;

/** Says of a built-in type whether it is an array; of others nothing. */
export function builtInArray(type: number): ArrayType | null | undefined {
  return READERS.has(type) ? null : ARRAYS.get(type);
}

/** Reads a value in PostgreSQL's text form without loss. */
export function parsePostgresValue(
  text: string | null,
  type: number,
  arrayOf: ArrayLookup,
): JsonValue {
  if (text === null) return null;
  const array = arrayOf(type);
  if (!array) return (READERS.get(type) ?? asText)(text);
  const { element, delimiter } = array;
  const read = (items: ArrayItems): JsonValue[] =>
    items.map((item) =>
      Array.isArray(item) ? read(item) : parsePostgresValue(item, element, arrayOf)
    );
  return read(parsePostgresArray(text, delimiter));
}
