import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { TerminalBuffer } from "./terminal_buffer.ts";

function shown(pieces: readonly string[], maxChars = 100_000): string {
  const buffer = new TerminalBuffer(maxChars);
  for (const piece of pieces) buffer.write(piece, "stdout");
  return buffer.text();
}

Deno.test("TerminalBuffer keeps lines as they were written", () => {
  strictEqual(shown(["a\nb", "c\n", "\nd"]), "a\nbc\n\nd");
  strictEqual(shown(["a\r\nb\r", "\nc\n"]), "a\nb\nc\n");
});

Deno.test("TerminalBuffer starts a line anew at a carriage return that is followed by text", () => {
  strictEqual(shown(["10%\r", "100%", "\rdone\r\n"]), "done\n");
  strictEqual(shown(["kept\r", "\r\n"]), "kept\n");
  strictEqual(shown(["|\b/\b-"]), "-");
});

Deno.test("TerminalBuffer distinguishes sources, each with its own colors", () => {
  const buffer = new TerminalBuffer(1_000);
  buffer.write("\x1b[31mred", "stdout");
  buffer.write("plain", "stderr");
  buffer.note("left out");
  const spans = buffer.blocks.flatMap(({ lines }) => lines).flatMap((line) => line.spans);
  deepStrictEqual(spans, [
    { text: "red", style: { color: 1 }, source: "stdout" },
    { text: "plain", style: {}, source: "stderr" },
    { text: "left out", style: {}, source: "note" },
  ]);
  strictEqual(buffer.text(), "redplain\nleft out\n");
});

Deno.test("TerminalBuffer cuts a line that is too long, and drops the oldest lines of many", () => {
  strictEqual(shown(["x".repeat(20_000)]), "x".repeat(20_000));
  const buffer = new TerminalBuffer(5_000);
  for (let line = 0; line < 5_000; line++) buffer.write(`line ${line}\n`, "stdout");
  const text = buffer.text();
  ok(text.length <= 5_000 + 50 * 10, String(text.length));
  ok(text.endsWith("line 4998\nline 4999\n"));
  strictEqual(text.length + buffer.dropped, "line 0\n".length * 10 + 8 * 90 + 9 * 900 + 10 * 4_000);
});
