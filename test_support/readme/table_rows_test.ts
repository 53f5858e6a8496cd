import { deepStrictEqual } from "node:assert/strict";
import { tableRows } from "./table_rows.ts";

const PAGE = `| head | of one |
| ---- | ------ |
| a    | \`b\` |
| c \\| d |    |

Text

| head |
| ---- |
| e    |
`;

Deno.test("tableRows() lists the cells of every table, without the heads", () => {
  deepStrictEqual(tableRows(PAGE), [["a", "`b`"], ["c | d", ""], ["e"]]);
  deepStrictEqual(tableRows("text"), []);
});
