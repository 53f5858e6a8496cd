import { deepStrictEqual } from "node:assert/strict";
import type { JsonObject } from "../shared/json.ts";
import { type CallEnding, endingOf } from "./ending.ts";

const ran = (exitCode: number, more: JsonObject = {}): JsonObject => {
  return { stdout: "", stderr: "", exitCode, timedOut: false, ...more };
};
const TIMED_OUT = ran(143, { timedOut: true, signal: "SIGTERM" });
const query = (success: boolean, more: JsonObject = {}): JsonObject => {
  return { success, rows: [], rowCount: 0, ...more };
};

const CASES: readonly (readonly [name: string, result: JsonObject, ending: CallEnding])[] = [
  ["a command that succeeded", ran(0), { outcome: "ok", exitCode: 0 }],
  ["a command that failed", ran(3), { outcome: "failed", exitCode: 3 }],
  ["a command that a signal ended", ran(137, { signal: "SIGKILL" }), {
    outcome: "failed",
    exitCode: 137,
  }],
  ["a command that timed out", TIMED_OUT, { outcome: "timeout", exitCode: 143 }],
  ["one that timed out and then ended with 0", ran(0, { timedOut: true }), {
    outcome: "timeout",
    exitCode: 0,
  }],
  ["a list of one", { results: [ran(3)] }, { outcome: "failed", exitCode: 3 }],
  ["commands that succeeded", { results: [ran(0), ran(0)] }, {
    outcome: "ok",
    exitCode: 0,
    parts: { total: 2, failed: 0 },
  }],
  ["the first that failed decides", { results: [ran(0), ran(2), TIMED_OUT] }, {
    outcome: "failed",
    exitCode: 2,
    parts: { total: 3, failed: 2 },
  }],
  [
    "commands on hosts",
    { results: [{ host: "a", results: [ran(0)] }, { host: "b", results: [TIMED_OUT, ran(1)] }] },
    { outcome: "timeout", exitCode: 143, parts: { total: 3, failed: 2 } },
  ],
  [
    "a host that was not reached",
    { results: [{ host: "a", results: [], error: { code: "ECONNREFUSED", message: "refused" } }] },
    { outcome: "failed" },
  ],
  [
    "a host that was not reached, whose commands say so",
    { results: [{ host: "a", results: [ran(255)], error: { code: "ECONNREFUSED" } }] },
    { outcome: "failed", exitCode: 255 },
  ],
  ["a query that failed", { results: [{ database: "a", results: [query(true), query(false)] }] }, {
    outcome: "failed",
    parts: { total: 2, failed: 1 },
  }],
  [
    "queries that were skipped have not failed",
    { results: [{ results: [query(false, { error: {} }), query(false, { skipped: true })] }] },
    { outcome: "failed", parts: { total: 2, failed: 1 } },
  ],
  [
    "an error at the end of a batch",
    { results: [{ results: [query(true)], error: { code: "23503" } }] },
    { outcome: "failed", parts: { total: 2, failed: 1 } },
  ],
  ["a result without commands", { bytesWritten: 3 }, { outcome: "ok" }],
  ["results of another kind", { results: ["a", null, 3, { title: "b" }, [ran(1)]] }, {
    outcome: "ok",
  }],
  ["results that are no list", { results: { exitCode: 1 } }, { outcome: "ok" }],
  ["an exit code of another kind", { exitCode: "1", success: "no" }, { outcome: "ok" }],
];

for (const [name, result, ending] of CASES) {
  Deno.test(`endingOf() reads ${name}`, () => deepStrictEqual(endingOf(result), ending));
}
