import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { createLog } from "../shared/log.ts";
import { reportLate } from "./open_logs.ts";

const SILENT = createLog({ level: "error", write: () => {}, replacer: (_key, value) => value });

Deno.test("reportLate() reports a step that takes long, again and again, until it ends", async () => {
  const lines: string[] = [];
  const work = Promise.withResolvers<string>();
  const log = createLog({
    level: "warn",
    write: (line) => {
      lines.push(line);
      if (lines.length === 3) work.resolve("loaded");
    },
    replacer: (_key, value) => value,
  });
  const loading = reportLate("the tools (/mnt/tools)", log, () => work.promise, 1);
  strictEqual(await reportLate("others", log, () => Promise.resolve("at once")), "at once");
  strictEqual(await loading, "loaded");
  const records = lines.map((line): Record<string, unknown> => JSON.parse(line));
  const expected = { level: "warn", message: "the server still starts" };
  for (const { time: _, seconds, ...record } of records) {
    deepStrictEqual(record, { ...expected, loading: "the tools (/mnt/tools)" });
    strictEqual(typeof seconds, "number");
  }
});

Deno.test("reportLate() rejects with what a step rejects with", async () => {
  await rejects(reportLate("callers", SILENT, () => Promise.reject(new Error("gone"))), /gone/);
});
