import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type Engine, isBlankSql, transactionCommand } from "./statement_text.ts";

Deno.test("isBlankSql() recognizes comments and white space, whatever they contain", () => {
  for (const blank of ["", " \n\t;;", "-- a", "/* a", "/* ** */ -- ;\n;", "/***/", "\uFEFF\v"]) {
    strictEqual(isBlankSql(blank), true, blank);
  }
  for (const text of ["a", "-a", "/a", "/* */ a", "-- b\na", "'--'", "/* /* */ */"]) {
    strictEqual(isBlankSql(text), false, text);
  }
  strictEqual(isBlankSql(`/*${"*a".repeat(1_000_000)}`), true);
});

const ENGINES: readonly Engine[] = ["postgres", "sqlite"];

Deno.test("transactionCommand() distinguishes what ends a transaction from what does not", () => {
  const cases: [text: string, command: string | undefined][] = [
    ["BEGIN IMMEDIATE", "begin"],
    ["start transaction", "begin"],
    ["commit", "commit"],
    ["COMMIT;", "commit"],
    [" \n;; -- a\n/* b */END/**/TRANSACTION", "commit"],
    ["PREPARE TRANSACTION 'a'", "commit"],
    ["PREPARE a AS SELECT 1", undefined],
    ["ROLLBACK", "rollback"],
    ["Rollback Work", "rollback"],
    ["ROLLBACK/**/TO a", undefined],
    ["ROLLBACK TRANSACTION TO SAVEPOINT a", undefined],
    ["abort", "rollback"],
    ["SAVEPOINT a", undefined],
    ["RELEASE a", undefined],
    ["SELECT 'COMMIT'", undefined],
    ["-- COMMIT", undefined],
    ["/* COMMIT", undefined],
    ["COMMITTED", undefined],
    ["", undefined],
  ];
  for (const engine of ENGINES) {
    for (const [text, command] of cases) {
      strictEqual(transactionCommand(text, engine), command, `${engine}: ${text}`);
    }
  }
});

Deno.test("transactionCommand() reads comments as each engine does", () => {
  const both = (text: string) => ENGINES.map((engine) => transactionCommand(text, engine));
  deepStrictEqual(both("/* /* */ COMMIT"), [undefined, "commit"]);
  deepStrictEqual(both("/* /* */ */ COMMIT"), ["commit", undefined]);
  deepStrictEqual(both("-- a\r COMMIT"), ["commit", undefined]);
});
