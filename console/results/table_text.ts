import type { JsonValue } from "@trestle/mcp-server";
import type { Table } from "./result_parts.ts";

/** By which column rows are sorted, and which way. */
export interface Order {
  readonly column: number;
  readonly descending: boolean;
}

/** A value of a table as text; an object is its JSON. */
export function cellText(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Sorts rows by a column: numbers by value, texts as people do, and what is missing at the end. */
export function sortRows({ rows }: Table, order: Order | undefined): Table["rows"] {
  if (order === undefined) return rows;
  const { column, descending } = order;
  return rows.toSorted((a, b) => {
    const [left, right] = [a[column] ?? undefined, b[column] ?? undefined];
    if (left === undefined || right === undefined) {
      return Number(left === undefined) - Number(right === undefined);
    }
    return (descending ? -1 : 1) * compare(left, right);
  });
}

function compare(a: JsonValue, b: JsonValue): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return cellText(a).localeCompare(cellText(b), undefined, { numeric: true });
}

/**
 * A table as CSV (RFC 4180). A text that a spreadsheet would take for a formula begins with an
 * apostrophe.
 */
export function toCsv({ columns, rows }: Table): string {
  return [columns, ...rows].map((row) => row.map(toField).join(",") + "\r\n").join("");
}

const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

function toField(value: JsonValue | undefined): string {
  const text = value === null ? "" : cellText(value);
  const isFormula = typeof value === "string" && FORMULA.test(text) && Number.isNaN(Number(text));
  const plain = isFormula ? `'${text}` : text;
  return QUOTED.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** A table as lines of values between tabs, as spreadsheets paste them. */
export function toTabs({ columns, rows }: Table): string {
  return [columns, ...rows]
    .map((row) => row.map((value) => cellText(value).replaceAll(/[\t\r\n]+/g, " ")).join("\t"))
    .join("\n");
}
