import { ok, strictEqual, throws } from "node:assert/strict";
import { ToolError } from "../../shared/error.ts";
import fc from "fast-check";
import { applyEdits, type TextEdit } from "./edit_file.ts";

const apply = (text: string, ...edits: TextEdit[]) => applyEdits("/a.txt", text, edits);

Deno.test("applyEdits() replaces exact texts in order", async (t) => {
  const cases: [name: string, text: string, edits: TextEdit[], result: string][] = [
    ["one", "a b c", [{ old: "b", new: "x" }], "a x c"],
    ["removed", "a b c", [{ old: " b", new: "" }], "a c"],
    ["each after those before it", "a", [{ old: "a", new: "b" }, { old: "b", new: "c" }], "c"],
    ["all", "aaaa", [{ old: "aa", new: "b", all: true }], "bb"],
    ["all of one", "a", [{ old: "a", new: "b", all: true }], "b"],
    ["text that a replacement pattern would change", "a", [{ old: "a", new: "$&$1" }], "$&$1"],
    ["the last line", "a\nb", [{ old: "b", new: "b\nc" }], "a\nb\nc"],
    ["an astral character", "a😀b", [{ old: "😀", new: "😁" }], "a😁b"],
  ];
  for (const [name, text, edits, result] of cases) {
    await t.step(name, () => strictEqual(apply(text, ...edits), result));
  }
});

Deno.test("applyEdits() finds text with LF in lines with CRLF, whose ends stay", async (t) => {
  const cases: [name: string, text: string, edits: TextEdit[], result: string][] = [
    ["two lines", "a\r\nb\r\nc\r\n", [{ old: "a\nb", new: "x\ny\nz" }], "x\r\ny\r\nz\r\nc\r\n"],
    [
      "behind many",
      "1\r\n2\r\n3\r\nb\r\nc",
      [{ old: "3\nb", new: "3\nx" }],
      "1\r\n2\r\n3\r\nx\r\nc",
    ],
    ["a start at a line end", "a\r\nb\r\n", [{ old: "\nb", new: "\nx" }], "a\r\nx\r\n"],
    ["an end at a line end", "a\r\nb", [{ old: "a\n", new: "" }], "b"],
    ["new lines where old has none", "a\r\nb\r\n", [{ old: "b", new: "b\nc" }], "a\r\nb\r\nc\r\n"],
    ["on the last line", "a\r\nb", [{ old: "b", new: "b\nc" }], "a\r\nb\r\nc"],
    [
      "all, in a mixed file",
      "a\nb\r\na\r\nb",
      [{ old: "a\nb", new: "x\ny", all: true }],
      "x\ny\r\nx\r\ny",
    ],
    ["CRLF of its own is exact", "a\r\nb\nc", [{ old: "a\r\n", new: "x\n" }], "x\nb\nc"],
    ["a CR alone is no line end", "a\rb\r\n", [{ old: "a\rb", new: "x\ny" }], "x\ny\r\n"],
  ];
  for (const [name, text, edits, result] of cases) {
    await t.step(name, () => strictEqual(apply(text, ...edits), result));
  }
});

Deno.test("applyEdits() refuses what is not there, or there several times", async (t) => {
  const code =
    "function add(a, b) {\n\treturn a + b;\n}\n\nconst x = 1;\nconst y = 1;\nconst z = 1;\n";
  const cases: [name: string, edits: TextEdit[], code: string, message: RegExp][] = [
    [
      "other white space",
      [{ old: "  return a + b;\n}", new: "" }],
      "NO_MATCH",
      /^Cannot edit "\/a\.txt": "old" is not there; the nearest is at line 2, which differs only in white space: "\\treturn a \+ b;\\n}"$/,
    ],
    [
      "a typing error",
      [{ old: "function  ad(a, b) {", new: "" }],
      "NO_MATCH",
      /line 1: "function add\(a, b\) {"$/,
    ],
    [
      "something else",
      [{ old: "import zod", new: "" }],
      "NO_MATCH",
      /nothing in the file is like it; read the file first$/,
    ],
    [
      "three times",
      [{ old: " = 1;", new: "" }],
      "AMBIGUOUS",
      /^Cannot edit "\/a\.txt": "old" is there 3 times, on lines 5, 6, 7; add the lines around the one that is meant, or "all": true$/,
    ],
    [
      "overlapping",
      [{ old: "x = 1;", new: "aaa" }, { old: "aa", new: "b" }],
      "AMBIGUOUS",
      /"old" of edit 2 is there 2 times, on line 5;/,
    ],
    [
      "an empty text",
      [{ old: "", new: "a" }],
      "NO_MATCH",
      /is empty; write-file writes a whole file$/,
    ],
    [
      "no change",
      [{ old: "x", new: "x" }],
      "NO_MATCH",
      /is the same as "new"; nothing would change$/,
    ],
  ];
  for (const [name, edits, expected, message] of cases) {
    await t.step(name, () => {
      throws(() => apply(code, ...edits), (error: unknown) => {
        ok(error instanceof ToolError);
        strictEqual(error.code, expected);
        ok(message.test(error.message), error.message);
        return true;
      });
    });
  }
  await t.step("many lines are not all named", () => {
    throws(
      () => apply("a\n".repeat(1_000), { old: "a", new: "b" }),
      /1000 times, on lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, \.\.\.;/,
    );
  });
});

Deno.test("applyEdits() changes nothing but the hit, whatever the line ends", () => {
  const piece = fc.constantFrom("a", "b", "\n", "\r\n", "\r", " ");
  const text = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(""));
  fc.assert(fc.property(text, text, text, (before, after, word) => {
    const old = `<${word.replaceAll("\r", "")}>`;
    const inFile = `<${word}>`;
    const isFound = inFile.replaceAll("\r\n", "\n") === old;
    fc.pre(isFound);
    strictEqual(apply(`${before}${inFile}${after}`, { old, new: "" }), `${before}${after}`);
  }));
});
