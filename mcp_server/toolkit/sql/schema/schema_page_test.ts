import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import {
  cutNames,
  type FoundTable,
  parseCursor,
  SchemaPage,
  type TableSchema,
} from "./schema_page.ts";

function table(id: number, columns: number, indexes = 0): FoundTable {
  return {
    id: String(id),
    head: { schema: "s", name: `t${id}`, type: "table" },
    columns: Array.from({ length: columns }, (_, at) => ({ name: `c${at}`, type: "int" })),
    foreignKeys: [],
    indexes: Array.from({ length: indexes }, (_, at) => ({ name: `i${at}`, on: ["c0"] })),
  };
}

/** Reads all pages as a client does: with the cursor of the page before. */
function pagesOf(tables: readonly FoundTable[]): TableSchema[][] {
  const pages: TableSchema[][] = [];
  for (let cursor: string | undefined, more = true; more;) {
    const start = parseCursor(cursor);
    const page = new SchemaPage(start);
    for (const each of tables.filter(({ id }) => Number(id) >= Number(start.id))) {
      if (!page.add(each)) break;
    }
    ok(JSON.stringify(page).length < 32 * 1024);
    pages.push(page.tables);
    cursor = page.nextCursor;
    more = cursor !== undefined;
  }
  return pages;
}

Deno.test("SchemaPage loses and repeats no table on the way through its pages", () => {
  const tables = Array.from({ length: 1_000 }, (_, at) => table(at + 1, at % 7));
  const pages = pagesOf(tables);
  ok(pages.length > 3 && pages.length < 10, `${pages.length}`);
  deepStrictEqual(pages.flat().map(({ name }) => name), tables.map(({ head }) => head.name));
  deepStrictEqual(pages.flat().filter(({ continued }) => continued), []);
});

Deno.test("SchemaPage continues a table that fits into no page, and only such a one", () => {
  const pages = pagesOf([table(1, 1), table(2, 2_500, 1_500), table(3, 1)]);
  const parts = pages.flat().filter(({ name }) => name === "t2");
  ok(parts.length > 2);
  deepStrictEqual(pages[0]?.map(({ name }) => name), ["t1"]);
  deepStrictEqual(
    parts.flatMap(({ columns = [] }) => columns).map(({ name }) => name),
    Array.from({ length: 2_500 }, (_, at) => `c${at}`),
  );
  strictEqual(parts.flatMap(({ indexes = [] }) => indexes).length, 1_500);
  deepStrictEqual(parts.map(({ continued = false }) => continued), [
    ...parts.slice(1).map(() => true),
    false,
  ]);
  strictEqual(pages.at(-1)?.at(-1)?.name, "t3");
});

Deno.test("cutNames() counts what it leaves out", () => {
  const names = cutNames(Array.from({ length: 2_000 }, () => "\u0001".repeat(1_000)));
  deepStrictEqual([names.length, names.at(-1)], [3, "... 1998 more"]);
  deepStrictEqual(cutNames(["a", "b"]), ["a", "b"]);
});

Deno.test("parseCursor() takes nothing but cursors", () => {
  deepStrictEqual(parseCursor("16384.7"), { id: "16384", entry: 7 });
  for (const cursor of ["", "1", "1.", "-1.0", "1.0; DROP", "9223372036854775808.0", "1.0\n"]) {
    throws(() => parseCursor(cursor), { code: "INVALID_ARGUMENTS" }, cursor);
  }
});
