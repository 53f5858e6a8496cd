import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { StartProgress } from "./start_progress.ts";

Deno.test("StartProgress reports a step that takes long, again and again, until it ends", async () => {
  const lines: string[] = [];
  const work = Promise.withResolvers<string>();
  const progress = new StartProgress({
    logLevel: "warn",
    lateMs: 1,
    write: (line) => {
      lines.push(line);
      if (lines.length === 3) work.resolve("loaded");
    },
  });
  const loading = progress.during("the tools (/mnt/tools)", () => work.promise);
  strictEqual(await progress.during("others", () => Promise.resolve("at once")), "at once");
  strictEqual(await loading, "loaded");
  const records = lines.map((line): Record<string, unknown> => JSON.parse(line));
  const expected = { level: "warn", message: "the server still starts" };
  for (const { time: _, seconds, ...record } of records) {
    deepStrictEqual(record, { ...expected, loading: "the tools (/mnt/tools)" });
    strictEqual(typeof seconds, "number");
  }
  strictEqual(progress.late, undefined);
});

Deno.test("StartProgress says what has taken longest, and forgets a step that fails", async () => {
  const progress = new StartProgress({ logLevel: "error", lateMs: 0, write: () => {} });
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const loading = progress.during("callers", () => first.promise);
  const other = progress.during("tools", () => second.promise);
  match(progress.late ?? "", /^loading callers for \d+ s$/);
  first.reject(new Error("gone"));
  await rejects(loading, /gone/);
  match(progress.late ?? "", /^loading tools for \d+ s$/);
  second.resolve();
  await other;
  strictEqual(progress.late, undefined);
});
