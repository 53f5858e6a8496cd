import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { decodeCursor, encodeCursor } from "./cursor.ts";

const CURSORS = [
  { typeName: "Person", id: "1", cursor: "UGVyc29uOjE=" },
  { typeName: "Person", id: "a:b", cursor: "UGVyc29uOmE6Yg==" },
  { typeName: "Person", id: "", cursor: "UGVyc29uOg==" },
  { typeName: "Person", id: "é", cursor: "UGVyc29uOsOp" },
  { typeName: "Person", id: "人", cursor: "UGVyc29uOuS6ug==" },
  { typeName: "Person", id: "\ufeff👩‍🚀", cursor: "UGVyc29uOu+7v/CfkanigI3wn5qA" },
];

for (const { typeName, id, cursor } of CURSORS) {
  Deno.test(`encodeCursor() and decodeCursor() convert ${typeName}:${id} to ${cursor} and back`, () => {
    strictEqual(encodeCursor(typeName, id), cursor);
    deepStrictEqual(decodeCursor(cursor), { typeName, id });
  });
}

const NO_CURSORS = [
  ["an empty text", ""],
  ["no base64", "Person:1"],
  ["base64 without a colon", btoa("Person")],
  ["base64 of bytes that are not UTF-8", btoa("Person:\u00e9")],
  ["base64 without its padding", "UGVyc29uOjE"],
  ["base64 with a space", "UGVy c29uOjE="],
  ["base64 with stray bits at its end", "UGVyc29uOjF="],
] as const;

for (const [what, text] of NO_CURSORS) {
  Deno.test(`decodeCursor() rejects ${what}`, () => strictEqual(decodeCursor(text), undefined));
}

const typeNames = fc.stringMatching(/^[_A-Za-z][_0-9A-Za-z]*$/);

Deno.test("encodeCursor() returns base64 of UTF-8, and decodeCursor() decodes it", () => {
  fc.assert(fc.property(typeNames, fc.string({ unit: "grapheme" }), (typeName, id) => {
    const cursor = encodeCursor(typeName, id);
    strictEqual(cursor, Buffer.from(`${typeName}:${id}`, "utf8").toString("base64"));
    deepStrictEqual(decodeCursor(cursor), { typeName, id });
  }));
});

Deno.test("decodeCursor() never throws", () => {
  fc.assert(fc.property(fc.string(), (text) => {
    const target = decodeCursor(text);
    if (target) strictEqual(encodeCursor(target.typeName, target.id), text);
  }));
});
