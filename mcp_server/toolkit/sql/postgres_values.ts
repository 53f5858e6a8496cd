import { Buffer } from "node:buffer";
import type { JsonValue } from "../../shared/json.ts";
import { bytesOfParam, QueryRefusal, requireWholeText } from "./sql_session.ts";

/** The elements of an array type. */
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

/**
 * What is known about types: `undefined` for one that must be looked up, `null` for one that is not
 * an array.
 */
export type ArrayLookup = (type: number) => ArrayType | null | undefined;

/** Whether a built-in type is an array; `undefined` for other types. */
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

/** The elements of an array: texts, `null`, and arrays of them. */
export type ArrayItems = (string | null | ArrayItems)[];

/**
 * Reads an array in PostgreSQL's text form (manual, 8.15.6), such as `{1,NULL,{"a b"}}`; bounds
 * before it, as in `[0:1]={1,2}`, are ignored.
 */
export function parsePostgresArray(text: string, delimiter: string): ArrayItems {
  let at = text.indexOf("{") + 1;
  return items();

  function items(): ArrayItems {
    const found: ArrayItems = [];
    while (text[at] !== "}" && at < text.length) {
      found.push(item());
      if (text[at] === delimiter) at++;
    }
    at++;
    return found;
  }

  function item(): string | null | ArrayItems {
    if (text[at] === "{") {
      at++;
      return items();
    }
    if (text[at] === '"') return quoted();
    const start = at;
    while (text[at] !== delimiter && text[at] !== "}" && at < text.length) at++;
    const plain = text.slice(start, at).replaceAll(/\\(.)/gs, "$1");
    return plain.toUpperCase() === "NULL" ? null : plain;
  }

  function quoted(): string {
    const start = ++at;
    while (text[at] !== '"' && at < text.length) at += text[at] === "\\" ? 2 : 1;
    return text.slice(start, at++).replaceAll(/\\(.)/gs, "$1");
  }
}

const MOMENT =
  /^(\d+)-(\d\d)-(\d\d)(?: (\d\d:\d\d:\d\d(?:\.\d+)?)(?:([+-]\d\d)(?::?(\d\d))?(:\d\d)?)?)?( BC)?$/;

/**
 * Writes a date or a timestamp of PostgreSQL (style ISO) as ISO 8601, with every digit that it has
 * and without a shift: UTC is `Z`, years before 1 and after 9999 have six digits and a sign.
 * Whatever has another form, such as `infinity`, stays as it is.
 */
export function toIsoTime(text: string): string {
  const [, year, month, day, time, hours, minutes = "00", seconds = "", era] = MOMENT.exec(text) ??
    [];
  if (year === undefined) return text;
  const date = `${toIsoYear(Number(year), era !== undefined)}-${month}-${day}`;
  if (time === undefined) return date;
  if (hours === undefined) return `${date}T${time}`;
  const zone = `${hours}:${minutes}${seconds}`;
  return `${date}T${time}${zone === "+00:00" ? "Z" : zone}`;
}

/** ISO 8601 has a year 0: it is the one that PostgreSQL calls 1 BC. */
function toIsoYear(year: number, beforeChrist: boolean): string {
  const counted = beforeChrist ? 1 - year : year;
  if (counted >= 0 && counted <= 9_999) return String(counted).padStart(4, "0");
  return (counted < 0 ? "-" : "+") + String(Math.abs(counted)).padStart(6, "0");
}

/**
 * Reads bytes in PostgreSQL's text forms, hex and escape (manual, 8.4), and returns them as base64.
 */
export function byteaToBase64(text: string): string {
  return bytesOf(text).toString("base64");
}

function bytesOf(text: string): Buffer {
  if (text.startsWith("\\x")) return Buffer.from(text.slice(2), "hex");
  const plain = text.replaceAll(/\\(?:(\\)|([0-3][0-7]{2}))/g, (_all, slash, octal) => {
    return slash ?? String.fromCharCode(Number.parseInt(octal, 8));
  });
  return Buffer.from(plain, "latin1");
}

/**
 * Reads JSON without loss: a number that JavaScript would round, such as 9223372036854775807, is
 * returned as its text. Text that is not JSON is returned unchanged.
 */
export function parseExactJson(text: string): JsonValue {
  try {
    return JSON.parse(text, keepNumber);
  } catch {
    return text;
  }
}

function keepNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== "number" || source === undefined) return value;
  return digitsOf(String(value)) === digitsOf(source) ? value : source;
}

/** A number's digits and exponent, in one form: `12.50e1` and `125` are the same. */
function digitsOf(number: string): string {
  const [, sign = "", whole = "", part = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  if (whole === "") return number;
  const digits = `${whole}${part}`.replace(/^0+/, "");
  const short = digits.replace(/0+$/, "");
  if (short === "") return "0";
  return `${sign}${short}e${Number(power) - part.length + digits.length - short.length}`;
}

/** The most dimensions in PostgreSQL (source, MAXDIM). */
const DIMENSIONS = 6;
/** The most parameters in the protocol (manual, 55.7, Bind). */
const PARAMETERS = 65_535;

/** Writes the parameters of a statement; throws a `QueryRefusal` if the protocol can't carry one. */
export function toPostgresParams(values: readonly unknown[]): (string | null)[] {
  if (values.length > PARAMETERS) {
    throw new QueryRefusal(
      "54000",
      `Cannot send ${values.length} parameters: PostgreSQL takes ${PARAMETERS}`,
    );
  }
  return values.map((value, at) => requireWholeText(toPostgresParam(value), `parameter ${at + 1}`));
}

/**
 * Writes a parameter in PostgreSQL's text form: an array as an array of the database, bytes in hex
 * (manual, 8.4.1), another object as JSON. An array for a JSON column must be passed as its text.
 */
export function toPostgresParam(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return toPostgresArray(value, 1);
  const bytes = bytesOfParam(value);
  if (bytes !== undefined) return `\\x${bytes.toHex()}`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function toPostgresArray(values: readonly unknown[], depth: number): string {
  if (depth > DIMENSIONS) {
    throw new QueryRefusal(
      "54000",
      `Cannot send an array with more than ${DIMENSIONS} dimensions: give JSON as its text`,
    );
  }
  const items = values.map((value): string => {
    if (Array.isArray(value)) return toPostgresArray(value, depth + 1);
    const text = toPostgresParam(value);
    return text === null ? "NULL" : `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
  });
  return `{${items.join(",")}}`;
}
