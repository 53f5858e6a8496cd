import { ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { unifiedDiff } from "./unified_diff.ts";

const diff = (before: string, after: string, maxBytes = 4_096) =>
  unifiedDiff("a.txt", { before, after, maxBytes });

Deno.test("unifiedDiff() shows the changed lines with those around them", async () => {
  const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";
  strictEqual(
    await diff(before, before.replace("5", "five")),
    "--- a.txt\n+++ a.txt\n@@ -3,5 +3,5 @@\n 3\n 4\n-5\n+five\n 6\n 7\n",
  );
  strictEqual(
    await diff("a", "b"),
    "--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n" +
      "\\ No newline at end of file\n",
  );
  strictEqual(await diff(before, before), "");
});

Deno.test("unifiedDiff() has at most so many bytes, and says what is left out", async () => {
  const lines = (text: string) => `${text}\n`.repeat(1_000);
  const bounded = await diff(lines("für"), lines("über"));
  ok(new TextEncoder().encode(bounded).length <= 4_096);
  ok(/\n\.\.\. 1\d\d\d more lines\n$/.test(bounded), bounded.slice(-80));
  const long = await diff("x".repeat(100_000), "y".repeat(100_000));
  ok(long.length < 1_000 && long.includes("... (100001 characters)"), long);
  ok((await diff(lines("a"), lines("b"), 40)).endsWith("... 2001 more lines\n"));
});

Deno.test("unifiedDiff() ends soon for two large texts with nothing in common", async () => {
  const numbers = (from: number) =>
    Array.from({ length: 30_000 }, (_, at) => `${from + at}\n`).join("");
  const [before, after] = [`1\n${numbers(10)}2\n3`, `1\n${numbers(1_000_000)}2\n3`];
  await isApplied(before, after, Infinity);
  ok(
    (await diff(before, after)).startsWith("--- a.txt\n+++ a.txt\n@@ -2,30000 +2,30000 @@\n-10\n"),
  );
});

Deno.test("unifiedDiff() is what patch(1) applies", async () => {
  const text = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "d"), { minLength: 1, maxLength: 20 })
    .map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(text, text, (before, after) => isApplied(before, after, 4_096)),
    { numRuns: 20 },
  );
});

async function isApplied(before: string, after: string, maxBytes: number): Promise<void> {
  await using folder = await createTempFolder();
  await Deno.writeTextFile(`${folder.path}/a.txt`, before);
  await Deno.writeTextFile(`${folder.path}/a.diff`, await diff(before, after, maxBytes));
  const { success, stdout } = await new Deno.Command("patch", {
    args: ["--silent", "a.txt", "a.diff"],
    cwd: folder.path,
  }).output();
  ok(success || before === after, new TextDecoder().decode(stdout));
  strictEqual(await Deno.readTextFile(`${folder.path}/a.txt`), after);
}
