import { deepStrictEqual, strictEqual } from "node:assert/strict";
import {
  type Caller,
  DEFAULT_CALLER,
  includesScope,
  mayUse,
  missingScopes,
  NOBODY,
  scopeOf,
  SCOPES,
} from "./caller.ts";

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

Deno.test("scopeOf() follows the annotations of a tool", () => {
  const CASES = [
    [undefined, "tools:exec"],
    [{}, "tools:exec"],
    [{ readOnlyHint: true }, "tools:read"],
    [{ readOnlyHint: true, openWorldHint: true }, "tools:read"],
    [{ readOnlyHint: false, openWorldHint: false }, "tools:write"],
    [{ openWorldHint: false, destructiveHint: true }, "tools:write"],
    [{ readOnlyHint: false, openWorldHint: true }, "tools:exec"],
    [{ destructiveHint: false, idempotentHint: true }, "tools:exec"],
  ] as const;
  for (const [annotations, scope] of CASES) {
    strictEqual(scopeOf(annotations === undefined ? {} : { annotations }), scope);
  }
});

Deno.test("includesScope() lets each scope include those before it, and no other text any", () => {
  for (const [power, scope] of SCOPES.entries()) {
    const included = SCOPES.filter((needed) => includesScope([scope], needed));
    deepStrictEqual(included, SCOPES.slice(0, power + 1));
  }
  for (const other of ["", "tools", "tools:*", "TOOLS:EXEC", "admin:x", "tools:exec2", "*"]) {
    strictEqual(includesScope([other], "tools:read"), false, other);
  }
  strictEqual(includesScope([], "tools:read"), false);
});

Deno.test("includesScope() requires nothing of a caller without a token of OAuth", () => {
  for (const scope of SCOPES) strictEqual(includesScope(undefined, scope), true);
});

Deno.test("missingScopes() names every missing scope once, in the order of power", () => {
  const needed = ["tools:exec", "tools:read", "tools:write", "tools:exec"] as const;
  deepStrictEqual(missingScopes([], needed), ["tools:read", "tools:write", "tools:exec"]);
  deepStrictEqual(missingScopes(["openid", "tools:write"], needed), ["tools:exec"]);
  deepStrictEqual(missingScopes(["tools:exec"], needed), []);
  deepStrictEqual(missingScopes(undefined, needed), []);
  deepStrictEqual(missingScopes([], []), []);
});
