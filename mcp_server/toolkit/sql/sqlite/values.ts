import { Buffer } from "node:buffer";
import type { JsonValue } from "../../../domain/json.ts";
import { jsonTextLength } from "../../../domain/json_length.ts";
import { requireWholeText } from "../query_error.ts";

/** What SQLite stores; integers come as `bigint` so that none is rounded. */
export type SqliteValue = null | number | bigint | string | Uint8Array;

/** Reads a value without loss: bytes in base64, and as text what is no JSON number. */
export function fromSqlite(value: SqliteValue): JsonValue {
  if (typeof value === "bigint") {
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
}

/** Writes the parameters of a statement; throws a `QueryRefusal` if SQLite can't carry one. */
export function toSqliteParams(values: readonly unknown[]): SqliteValue[] {
  return values.map((value, at) => {
    const param = toSqlite(value);
    return typeof param === "string" ? requireWholeText(param, `parameter ${at + 1}`) : param;
  });
}

/** Writes a parameter: whole numbers as INTEGER, arrays and objects as JSON text. */
function toSqlite(value: unknown): SqliteValue {
  if (value === null || typeof value === "string") return value;
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value !== "number") return JSON.stringify(value);
  return Number.isSafeInteger(value) ? BigInt(value) : value;
}

/** How much of the answer a value takes, about. */
export function sizeOfSqlite(value: SqliteValue): number {
  if (typeof value === "string") return jsonTextLength(value);
  if (value instanceof Uint8Array) return Math.ceil(value.length / 3) * 4;
  return value === null ? 4 : String(value).length;
}
