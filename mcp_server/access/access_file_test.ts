import * as fc from "fast-check";
import { strictEqual } from "node:assert/strict";
import { findDuplicateKey } from "./access_file.ts";

const CASES: readonly [json: string, key: string | undefined][] = [
  ["[]", undefined],
  ['{"a": 1, "b": {"a": 1}, "c": [{"a": 1}, {"a": 1}]}', undefined],
  ['{"a": 1, "a": 1}', "a"],
  ['{"a": {"b": 1}, "c": {"d": 1, "b": 1, "b" : 2}}', "b"],
  ['{"a": 1, "\\u0061": 1}', "a"],
  ['{"a": "b", "b": "a"}', undefined],
  ['{"a": "}, {", "b\\"": "\\\\", "a": 1}', "a"],
  ['{"a\\"": 1, "b": "\\"a\\": 1", "a": 1}', undefined],
  ['{"__proto__": 1, "__proto__": 2}', "__proto__"],
];

for (const [json, key] of CASES) {
  Deno.test(`findDuplicateKey() in ${json}`, () => {
    JSON.parse(json);
    strictEqual(findDuplicateKey(json), key);
  });
}

Deno.test("findDuplicateKey() finds none in what JSON.stringify() makes", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    strictEqual(findDuplicateKey(JSON.stringify(value)), undefined);
  }));
});
