import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { isHiding, toVisible, toVisibleJson } from "./visible_text.ts";

const CASES: readonly [text: string, visible: string][] = [
  ["echo ok\n\tdone", "echo ok\n\tdone"],
  ["grüße, 世界, שלום, مرحبا", "grüße, 世界, שלום, مرحبا"],
  ["👩‍💻 ❤️ می‌خواهم", "👩‍💻 ❤️ می‌خواهم"],
  ["rm \u202e/ fr-", "rm \\u202e/ fr-"],
  ["a\u2066b\u2069", "a\\u2066b\\u2069"],
  ["echo\u200b x", "echo\\u200b x"],
  [" \u200dx", " \\u200dx"],
  ["a\u00a0b\u3000c", "a\\u00a0b\\u3000c"],
  ["a\rb\x1b[2K\x00", "a\\u000db\\u001b[2K\\u0000"],
  ["\u{e0041}", "\\udb40\\udc41"],
  ["\ufeffecho", "\\ufeffecho"],
];

Deno.test("toVisible() escapes what can't be seen or reorders a text, and leaves the rest", () => {
  for (const [text, visible] of CASES) {
    strictEqual(toVisible(text), visible);
    strictEqual(isHiding(text), text !== visible, visible);
  }
});

Deno.test("toVisibleJson() means the same value", () => {
  for (const [text] of CASES) {
    const value = { [text]: [text, { text }] };
    deepStrictEqual(JSON.parse(toVisibleJson(value, 2)), value);
    strictEqual(/[\u202e\u200b\u2066]/.test(toVisibleJson(value)), false);
  }
});
