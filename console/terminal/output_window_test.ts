import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { OutputWindow, partBefore, toPiece } from "./output_window.ts";

Deno.test("OutputWindow shows each byte once, and where bytes are missing", () => {
  const window = new OutputWindow();
  window.append({ from: 100, to: 103, text: "abc" });
  deepStrictEqual(window.append({ from: 100, to: 103, text: "abc" }), []);
  deepStrictEqual(window.append({ from: 110, to: 111, text: "d" }), [
    { from: 103, to: 110 },
    { from: 110, to: 111, text: "d" },
  ]);
  window.prepend({ from: 0, to: 2, text: "01" });
  deepStrictEqual(window.pieces.map(({ text }) => text), ["01", undefined, "abc", undefined, "d"]);
  deepStrictEqual([window.start, window.end], [0, 111]);
  window.trim(11);
  deepStrictEqual(window.pieces.map(({ text }) => text), ["abc", undefined, "d"]);
});

Deno.test("partBefore() pages back to the beginning, around the gap", () => {
  const gap = { from: 50, to: 500 };
  deepStrictEqual(partBefore(1_000, undefined, 600), { from: 400, to: 1_000 });
  deepStrictEqual(partBefore(1_000, gap, 600), { from: 500, to: 1_000 });
  deepStrictEqual(partBefore(500, gap, 20), { from: 30, to: 50 });
  deepStrictEqual(partBefore(300, gap, 600), { from: 0, to: 50 });
  strictEqual(partBefore(0, gap, 600), undefined);
});

Deno.test("toPiece() leaves out parts of characters, which belong to the next piece", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme", minLength: 1 }), fc.nat(), (text, cut) => {
    const bytes = new TextEncoder().encode(text);
    const at = cut % (bytes.length + 1);
    const left = toPiece(bytes.slice(0, at), 0);
    const right = toPiece(bytes.slice(left.to), left.to);
    strictEqual(`${left.text}${right.text}`, text);
    const later = toPiece(bytes.slice(at), at);
    strictEqual(later.to, bytes.length);
    ok(text.endsWith(later.text ?? "-"), later.text);
  }));
});
