import { strictEqual } from "node:assert/strict";
import { isBlankSql } from "./database.ts";

Deno.test("isBlankSql() recognizes comments and white space, whatever they contain", () => {
  for (const blank of ["", " \n\t;;", "-- a", "/* a", "/* ** */ -- ;\n;", "/***/"]) {
    strictEqual(isBlankSql(blank), true, blank);
  }
  for (const text of ["a", "-a", "/a", "/* */ a", "-- b\na", "'--'"]) {
    strictEqual(isBlankSql(text), false, text);
  }
  strictEqual(isBlankSql(`/*${"*a".repeat(1_000_000)}`), true);
});
