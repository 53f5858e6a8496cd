import { deepStrictEqual, notStrictEqual, strictEqual } from "node:assert/strict";
import { copyRecord, copyValue } from "./values.ts";

for (const value of [[1, [2]], { a: { b: null } }, new Date(5), Object.create(null)]) {
  Deno.test(`copyValue() creates an equal copy: ${Deno.inspect(value)}`, () => {
    const copy = copyValue(value);
    notStrictEqual(copy, value);
    strictEqual(JSON.stringify(copy), JSON.stringify(value));
  });
}

for (const value of [1, "a", null, undefined, /x/, new Map(), () => {}]) {
  Deno.test(`copyValue() does not copy what is not plain data: ${Deno.inspect(value)}`, () => {
    strictEqual(copyValue(value), value);
  });
}

Deno.test("copyRecord() copies to any depth, and omits symbols", () => {
  const attributes = { list: [{ deep: [1] }], [Symbol("mark")]: 1 };
  const copy = copyRecord(attributes);
  deepStrictEqual(copy, { list: [{ deep: [1] }] });
  attributes.list[0]?.deep.push(2);
  deepStrictEqual(copy, { list: [{ deep: [1] }] });
});
