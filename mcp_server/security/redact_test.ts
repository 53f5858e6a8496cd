import { strictEqual } from "node:assert/strict";
import { createRedactor } from "./redact.ts";

Deno.test("createRedactor() takes secrets out of texts, the longest first", () => {
  const { text } = createRedactor(["hunter2", "hunter2-and-more"]);
  strictEqual(text("a hunter2-and-more b hunter2"), "a [redacted] b [redacted]");
});

Deno.test("createRedactor() takes out values whose key names a secret, at every depth", () => {
  const { replacer } = createRedactor([]);
  const told = JSON.stringify({ a: { apiKey: 1, Authorization: { b: "y" }, path: "z" } }, replacer);
  strictEqual(told, '{"a":{"apiKey":"[redacted]","Authorization":"[redacted]","path":"z"}}');
});

Deno.test("createRedactor() leaves out what is too short to be told from a word", () => {
  strictEqual(createRedactor(["a", ""]).text("banana"), "banana");
});
