import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { bytesText, durationText, timeText } from "./times.ts";

Deno.test("durationText() has the two largest units", () => {
  const texts = [-1, 80, 4_200, 60_000, 65_000, 3_780_000, 90_000_000].map(durationText);
  deepStrictEqual(texts, ["0 ms", "80 ms", "4.2 s", "1 min", "1 min 5 s", "1 h 3 min", "1 d 1 h"]);
});

Deno.test("bytesText() has the largest unit", () => {
  const texts = [0, 512, 1_434, 16 * 1_048_576, 5_000 * 1_073_741_824].map(bytesText);
  deepStrictEqual(texts, ["0 B", "512 B", "1.4 KiB", "16.0 MiB", "5000 GiB"]);
});

Deno.test("timeText() leaves the date out today", () => {
  const now = new Date(2026, 4, 2, 13, 0);
  match(timeText(new Date(2026, 4, 2, 12, 3, 4).toISOString(), now), /^12:03:04$/);
  match(timeText(new Date(2026, 4, 1, 12, 3, 4).toISOString(), now), /.+ 12:03:04$/);
  strictEqual(timeText("never", now), "never");
});
