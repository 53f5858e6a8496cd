import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import {
  byteaToBase64,
  parseExactJson,
  parsePostgresArray,
  toIsoTime,
  toPostgresParam,
  toPostgresParams,
} from "./postgres_values.ts";

Deno.test("toIsoTime() writes ISO 8601 with every digit, and keeps other forms", () => {
  const cases = [
    ["2024-02-29 23:59:59.123456", "2024-02-29T23:59:59.123456"],
    ["2024-02-29 23:59:59+00", "2024-02-29T23:59:59Z"],
    ["2024-02-29 23:59:59.1-03:30", "2024-02-29T23:59:59.1-03:30"],
    ["1890-01-01 00:00:00+00:53:28", "1890-01-01T00:00:00+00:53:28"],
    ["2024-02-29 23:59:59+05", "2024-02-29T23:59:59+05:00"],
    ["0001-01-01 BC", "0000-01-01"],
    ["4713-01-01 00:00:00 BC", "-004712-01-01T00:00:00"],
    ["294276-12-31", "+294276-12-31"],
    ["-infinity", "-infinity"],
    ["29/02/2024 23:59:59", "29/02/2024 23:59:59"],
  ];
  for (const [text = "", iso] of cases) strictEqual(toIsoTime(text), iso);
});

Deno.test("parseExactJson() keeps numbers that JavaScript would round as text", () => {
  const same = ["0", "-1", "1.5", "1e3", "1.0", "0.1", "9007199254740992", "-0.0", "1E-7", "100"];
  for (const text of same) strictEqual(parseExactJson(text), Number(text), text);
  const kept = [
    "9223372036854775807",
    "0.1000000000000000055511151231257827",
    "1e400",
    "-1e400",
    "1e-400",
  ];
  for (const text of kept) strictEqual(parseExactJson(text), text, text);
  deepStrictEqual(parseExactJson('{"a":[9007199254740993,null,"1e400"]}'), {
    a: ["9007199254740993", null, "1e400"],
  });
  strictEqual(JSON.stringify(parseExactJson('{"__proto__":1}')), '{"__proto__":1}');
});

Deno.test("parsePostgresArray() and toPostgresParam() are inverse to each other", () => {
  const arrays = [[], ["a"], ["", null, "NULL", "null"], ['"', "\\", "{", "}", ",", " a "], [[
    "a",
    "b",
  ], ["c", null]], ["ä😀\n"]];
  for (const array of arrays) {
    deepStrictEqual(parsePostgresArray(toPostgresParam(array) ?? "", ","), array);
  }
  deepStrictEqual(parsePostgresArray("[2:3][0:0]={{1},{NULL}}", ","), [["1"], [null]]);
  deepStrictEqual(parsePostgresArray("{(1,1),(0,0);(2,2),(1,1)}", ";"), [
    "(1,1),(0,0)",
    "(2,2),(1,1)",
  ]);
});

Deno.test("byteaToBase64() reads both forms", () => {
  for (const text of ["\\x005c61ff", "\\000\\\\a\\377"]) {
    strictEqual(byteaToBase64(text), "AFxh/w==");
  }
  strictEqual(byteaToBase64(""), "");
});

Deno.test("toPostgresParams() rejects an array with too many dimensions, however many", () => {
  for (const depth of [7, 3_000, 100_000]) {
    let value: unknown = 1;
    for (let level = 0; level < depth; level++) value = [value];
    throws(() => toPostgresParams([value]), { name: "QueryRefusal", code: "54000" });
  }
});
