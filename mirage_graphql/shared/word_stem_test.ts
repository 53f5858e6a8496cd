import { deepStrictEqual } from "node:assert/strict";
import { stemOf } from "./word_stem.ts";

/** Words that say the same state, and words that don't. */
const ROWS: readonly (readonly string[])[] = [
  ["star", "starred", "stars", "starring"],
  ["complete", "completed", "done", "finished"],
  ["publish", "published", "publishing"],
  ["hide", "hidden"],
  ["close", "closed"],
  ["activate", "active"],
  ["read"],
  ["is"],
];

Deno.test("stemOf() is the same for the forms of a word, and differs between words", () => {
  const stems = ROWS.map((row) => [...new Set(row.map(stemOf))]);
  deepStrictEqual(stems.map(({ length }) => length), ROWS.map(() => 1));
  deepStrictEqual(new Set(stems.flat()).size, ROWS.length);
});
