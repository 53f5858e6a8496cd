import * as fc from "fast-check";
import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import {
  fitsJson,
  holdsFew,
  jsonLength,
  jsonTextLength,
  jsonTextStart,
  nestsDeeper,
  withoutUnset,
} from "./json.ts";

Deno.test("jsonTextLength() is the length of the text in JSON", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    strictEqual(jsonTextLength(text), JSON.stringify(text).length - 2);
  }));
});

Deno.test("jsonTextStart() is the longest whole beginning whose JSON fits", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), fc.nat(200), (text, most) => {
    const start = jsonTextStart(text, most);
    strictEqual(text.startsWith(start) && start.isWellFormed(), true);
    strictEqual(jsonTextLength(start) <= most, true);
    const [next = ""] = text.slice(start.length);
    strictEqual(start === text || jsonTextLength(start + next) > most, true);
  }));
});

Deno.test("jsonLength() is at least the length of the JSON, and little more", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const more = jsonLength(value) - JSON.stringify(value).length;
    strictEqual(more >= 0 && more <= jsonLength(value) / 3 + 1, true, JSON.stringify(value));
  }));
});

Deno.test("jsonLength() stops counting if a value is too large", () => {
  let read = 0;
  const entries = Array.from({ length: 1_000 }, () => ({
    get text() {
      read++;
      return "x".repeat(100);
    },
  }));
  strictEqual(jsonLength(entries, 1_000) > 1_000, true);
  strictEqual(read < 20, true);
});

Deno.test("fitsJson() accepts a value up to its length as JSON, and accepts without counting one that surely fits", () => {
  const values = [
    "a",
    "\0\u{1f600}",
    { "k\n": ["x", 1.5, null, true] },
    [[]],
    -1.2345678901234567e-100,
  ];
  for (const value of values) {
    const length = jsonLength(value);
    deepStrictEqual([fitsJson(value, length), fitsJson(value, length - 1)], [true, false]);
    strictEqual(fitsJson(value, 10 * length + 25), true);
  }
});

Deno.test("fitsJson() throws for a bigint, wherever it is and whether the rest fits", () => {
  const values = [1n, [1n], { deep: [{ n: 1n }] }, { long: "x".repeat(20), n: 1n }];
  for (const value of values) {
    for (const most of [100, 1_000]) throws(() => fitsJson(value, most), /"1" as JSON/);
  }
});

Deno.test("withoutUnset() leaves out keys without a value, and only those", () => {
  const kept = { a: null, b: false, c: 0, d: "" };
  deepStrictEqual(withoutUnset({ ...kept, e: undefined }), kept);
});

Deno.test("nestsDeeper() counts the levels of lists and objects", () => {
  const nested = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels));
  strictEqual(nestsDeeper(nested(128), 128), false);
  strictEqual(nestsDeeper(nested(129), 128), true);
  strictEqual(nestsDeeper({ a: [{ b: "c" }], d: 1 }, 3), false);
});

Deno.test("holdsFew() counts values at any depth, and stops as soon as it can", () => {
  strictEqual(holdsFew({ a: [1, { b: "c" }], d: null }, 6), true);
  strictEqual(holdsFew({ a: [1, { b: "c" }], d: null }, 5), false);
  strictEqual(holdsFew(JSON.parse("[".repeat(100_000) + "]".repeat(100_000)), 128), false);
  const flood = {
    get first() {
      return 1;
    },
    get second(): never {
      throw new Error("read");
    },
  };
  strictEqual(holdsFew(flood, 1), false);
});
