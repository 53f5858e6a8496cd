import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { sortRows, toCsv, toTabs } from "./table_text.ts";

const TABLE = {
  columns: ["id", "name"],
  rows: [[10, "b\tc"], [9, 'say "hi"'], [null, "=1+1"], [-2, "-5"]],
};

Deno.test("sortRows() sorts numbers by value and texts as people do, and leaves gaps at the end", () => {
  const ids = (descending: boolean) => sortRows(TABLE, { column: 0, descending }).map(([id]) => id);
  deepStrictEqual(ids(false), [-2, 9, 10, null]);
  deepStrictEqual(ids(true), [10, 9, -2, null]);
  const files = { columns: ["n"], rows: [["a10"], ["a9"], [true]] };
  deepStrictEqual(sortRows(files, { column: 0, descending: false }), [["a9"], ["a10"], [true]]);
  strictEqual(sortRows(TABLE, undefined), TABLE.rows);
});

Deno.test("toCsv() quotes what needs it, and makes no formulas", () => {
  strictEqual(
    toCsv(TABLE),
    'id,name\r\n10,b\tc\r\n9,"say ""hi"""\r\n,\'=1+1\r\n-2,-5\r\n',
  );
});

Deno.test("toTabs() has a line for each row", () => {
  strictEqual(toTabs(TABLE), 'id\tname\n10\tb c\n9\tsay "hi"\nnull\t=1+1\n-2\t-5');
});
