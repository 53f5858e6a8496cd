import { deepStrictEqual, doesNotThrow, strictEqual, throws } from "node:assert/strict";
import { bytesOfParam, requireExactNumbers, uniqueNames } from "./sql_session.ts";

Deno.test("requireExactNumbers() rejects whole numbers from 2^53 on, wherever they are", () => {
  const exact = [0, -1, 9007199254740991, -9007199254740991, 0.1, 1e-300, 4503599627370495.5];
  doesNotThrow(() => requireExactNumbers([...exact, [exact], { a: { b: exact } }, "1e300", null]));
  const rounded = ["9007199254740992", "9007199254740993", "-9007199254740992", "1e300", "1e400"];
  for (const text of rounded) {
    for (const json of [text, `[1,[${text}]]`, `{"a":{"b":[${text},1]}}`]) {
      const params = ["a", JSON.parse(json)];
      throws(() => requireExactNumbers(params), {
        code: "INVALID_NUMBER",
        message: /^Cannot send parameter 2: .* send it as text$/,
      }, json);
    }
  }
});

Deno.test("requireExactNumbers() reads what is nested deeper than the stack", () => {
  let deep: unknown[] = [9007199254740992];
  for (let depth = 0; depth < 100_000; depth++) deep = [deep];
  throws(() => requireExactNumbers([deep]), { code: "INVALID_NUMBER" });
});

Deno.test("bytesOfParam() reads an object with nothing but base64", () => {
  deepStrictEqual(bytesOfParam({ base64: "AP8=" }), new Uint8Array([0, 255]));
  deepStrictEqual(bytesOfParam({ base64: "" }), new Uint8Array());
  const others = [{ base64: "AP8=", a: 1 }, { base64: 1 }, { base64: null }, {}, ["AP8="], "AP8="];
  for (const other of others) strictEqual(bytesOfParam(other), undefined);
  for (const text of ["A", "AP8", "AP8-", "?"]) {
    throws(() => bytesOfParam({ base64: text }), { code: "INVALID_BASE64" }, text);
  }
});

Deno.test("uniqueNames() repeats no name, not even that of another column", () => {
  deepStrictEqual(uniqueNames(["a", "a", "a_2", "a", "b"]), ["a", "a_3", "a_2", "a_4", "b"]);
  deepStrictEqual(uniqueNames(["a_2", "a", "a", "a_2"]), ["a_2", "a", "a_3", "a_2_2"]);
});
