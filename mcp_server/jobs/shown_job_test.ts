import { deepStrictEqual } from "node:assert/strict";
import { createRedactor } from "../access/redact.ts";
import { parseKeptCall, toKeptCall } from "./shown_job.ts";

const { text: redact } = createRedactor(["hunter22"]);
const keep = (args: unknown, tty?: { rows: number; cols: number }) =>
  parseKeptCall(toKeptCall({ args, tty }, redact));

Deno.test("toKeptCall() keeps what has no secret as it is", () => {
  const args = { commands: [{ command: "make all", stdin: true }], timeoutMs: 30_000 };
  deepStrictEqual(keep(args), { args });
});

Deno.test("toKeptCall() redacts secrets, input and the values of variables", () => {
  const cases = [
    [{ script: "curl -u me:hunter22" }, { script: "curl -u me:[redacted]" }],
    [{ apiKey: "abc" }, { apiKey: "[redacted]" }],
    [{ env: { REGION: "eu", KEY: "abc" } }, { env: { REGION: "[redacted]", KEY: "[redacted]" } }],
    [{ commands: [{ command: "cat", stdin: "text" }] }, {
      commands: [{ command: "cat", stdin: "[redacted]" }],
    }],
  ] as const;
  for (const [args, kept] of cases) deepStrictEqual(keep(args), { args: kept, argsMasked: true });
});

Deno.test("toKeptCall() keeps no arguments that are long, or no object", () => {
  const tty = { rows: 24, cols: 80 };
  deepStrictEqual(keep({ script: "x".repeat(65 * 1024) }, tty), { tty });
  deepStrictEqual(keep("text"), {});
});
