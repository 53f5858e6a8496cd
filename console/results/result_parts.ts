import type { JsonObject, JsonValue } from "@trestle/mcp-server";
import { isObject } from "../schema/field.ts";

/** Rows of values below the names of their columns. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (JsonValue | undefined)[])[];
}

/** A part of a result that is shown as what it is. */
export type ResultPart =
  & { readonly title: string }
  & (
    | { readonly kind: "rows"; readonly table: Table }
    | { readonly kind: "text" | "diff"; readonly text: string }
    | { readonly kind: "image"; readonly mimeType: string; readonly data: string }
  );

/** What a result consists of. */
export interface ResultParts {
  readonly parts: readonly ResultPart[];
  /** What is shown as JSON, because it is nothing else; `undefined` if that is nothing. */
  readonly rest: JsonValue | undefined;
}

/** Texts that are longer, or have several lines, are shown by themselves. */
const SHORT_TEXT = 120;
const MOST_PARTS = 60;
const MOST_COLUMNS = 40;
const MOST_DEPTH = 5;
/** What commands have written, which is not shown again where it was shown as it came. */
const STREAMS: ReadonlySet<string> = new Set(["stdout", "stderr"]);
/** What the badge of an execution says. */
const ENDING: ReadonlySet<string> = new Set(["exitCode", "timedOut"]);
/** Kinds of images that browsers draw and that contain no program. */
const IMAGE = /^image\/(png|jpeg|gif|webp)$/;

/** Finds the rows, texts, differences and images of a result; `rest` has none of them. */
export function toResultParts(
  result: JsonValue,
  { hasOutput }: {
    /** Whether the output of its commands is shown already. */
    readonly hasOutput: boolean;
  },
): ResultParts {
  const parts: ResultPart[] = [];
  const add = (part: ResultPart): undefined => void parts.push(part);

  function visit(value: JsonValue, title: string, depth: number): JsonValue | undefined {
    if (parts.length >= MOST_PARTS || depth > MOST_DEPTH) return value;
    if (typeof value === "string") {
      const isLong = value.length > SHORT_TEXT || value.trimEnd().includes("\n");
      return isLong ? add({ kind: "text", title, text: value }) : value;
    }
    if (Array.isArray(value)) return visitItems(value, title, depth);
    return isObject(value) ? visitObject(value, title, depth) : value;
  }

  function visitItems(items: JsonValue[], title: string, depth: number): JsonValue | undefined {
    const table = toTable(items);
    if (table !== undefined) return add({ kind: "rows", title, table });
    const rest = items.flatMap((item, at) => {
      const left = visit(item, items.length > 1 ? `${title} ${at + 1}` : title, depth + 1);
      return left === undefined ? [] : [left];
    });
    return rest.length === 0 && items.length > 0 ? undefined : rest;
  }

  function visitObject(object: JsonObject, title: string, depth: number): JsonValue | undefined {
    if (isImage(object)) {
      return add({ kind: "image", title, mimeType: object.mimeType, data: object.data });
    }
    if (object.type === "text" && typeof object.text === "string") {
      return add({ kind: "text", title, text: object.text });
    }
    const isExecution = "exitCode" in object || "timedOut" in object;
    const name = typeof object.query === "string" ? object.query : title;
    const rest: JsonObject = {};
    for (const [key, value] of Object.entries(object)) {
      if (value === undefined || (isExecution && ENDING.has(key))) continue;
      const left = visitKey(object, key, value, nameOf(name, key), depth);
      if (left !== undefined) Object.defineProperty(rest, key, { value: left, enumerable: true });
    }
    return Object.keys(rest).length === 0 ? undefined : rest;
  }

  function visitKey(
    object: JsonObject,
    key: string,
    value: JsonValue,
    title: string,
    depth: number,
  ): JsonValue | undefined {
    if (STREAMS.has(key) && typeof value === "string") {
      return hasOutput || value === "" ? undefined : add({ kind: "text", title, text: value });
    }
    if (key === "diff" && typeof value === "string") {
      return add({ kind: "diff", title, text: value });
    }
    const columns = key === "rows" ? namesOf(object.columns) : undefined;
    if (columns !== undefined && Array.isArray(value) && value.every(Array.isArray)) {
      return add({ kind: "rows", title, table: { columns, rows: value } });
    }
    if (key === "columns" && namesOf(value) !== undefined && Array.isArray(object.rows)) {
      return undefined;
    }
    return visit(value, title, depth + 1);
  }

  const rest = visit(result, "Result", 0);
  return { parts, rest };
}

/** A part is named after what it is of, unless that says nothing. */
function nameOf(title: string, key: string): string {
  if (["results", "rows", "content"].includes(key)) return title;
  return title === "Result" ? key : `${title} ${key}`;
}

function namesOf(value: JsonValue | undefined): readonly string[] | undefined {
  return Array.isArray(value) && value.every((one) => typeof one === "string") ? value : undefined;
}

function isImage(
  value: JsonObject,
): value is JsonObject & { readonly mimeType: string; readonly data: string } {
  const { type, mimeType, data } = value;
  return type === "image" && typeof data === "string" && typeof mimeType === "string" &&
    IMAGE.test(mimeType);
}

/** Objects are rows if their values are short, and there are not too many names of them. */
function toTable(items: readonly JsonValue[]): Table | undefined {
  if (items.length === 0 || !items.every((item) => isObject(item) && isFlat(item))) {
    return undefined;
  }
  const objects = items.filter((item) => isObject(item));
  const columns = [...new Set(objects.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0 || columns.length > MOST_COLUMNS) return undefined;
  return { columns, rows: objects.map((row) => columns.map((name) => row[name])) };
}

/** What has parts of its own is no row. */
function isFlat(row: JsonObject): boolean {
  return !("exitCode" in row) && !("type" in row && "text" in row) && !isImage(row) &&
    Object.values(row).every((value) =>
      typeof value !== "object" || value === null ||
      (JSON.stringify(value).length <= SHORT_TEXT && !("rows" in row))
    );
}
