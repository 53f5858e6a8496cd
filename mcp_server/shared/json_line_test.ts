import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { toJsonLine } from "./json_line.ts";

Deno.test("toJsonLine() leaves no control character in a line, and changes no value", () => {
  const controls = Array.from({ length: 0xa1 }, (_, code) => String.fromCharCode(code)).join("");
  const record = { [`key${controls}`]: `€ ${controls} \u2028 \u2029 \u{1f600} \ud800` };
  const line = toJsonLine(JSON.stringify(record));
  deepStrictEqual(JSON.parse(line), record);
  strictEqual(/^[^\p{Cc}\p{Zl}\p{Zp}]+\n$/u.test(line), true, line);
});
