import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type Caller, DEFAULT_CALLER, mayUse, NOBODY } from "./caller.ts";

const NAMES = ["exec-command", "bash-script", "php-script", "job-list", ""];

const TOOLS: readonly [tools: readonly string[], usable: readonly string[]][] = [
  [[], []],
  [["*"], NAMES],
  [["exec-command"], ["exec-command"]],
  [["*-script", "job-*"], ["bash-script", "php-script", "job-list"]],
  [["Exec-Command", "exec", "exec-command2", "-script"], []],
  [["b*h-*t"], ["bash-script"]],
];

for (const [tools, usable] of TOOLS) {
  Deno.test(`mayUse() with the tools ${JSON.stringify(tools)}`, () => {
    const rights = { tools, hosts: [], databases: {}, paths: [], admin: false };
    const caller: Caller = { name: "ci", rights };
    deepStrictEqual(NAMES.filter((name) => mayUse(caller, name)), usable);
  });
}

Deno.test("mayUse() lets the default caller use every tool, and nobody none", () => {
  strictEqual(NAMES.every((name) => mayUse(DEFAULT_CALLER, name)), true);
  strictEqual(NAMES.some((name) => mayUse(NOBODY, name)), false);
});
