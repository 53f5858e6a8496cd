import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { isSharable, parseAddress, toAddress, toSharable } from "./sharable.ts";

Deno.test("toSharable() leaves variables, input and secrets out, wherever they are", () => {
  const args = {
    commands: [{ command: "a", stdin: "x", env: { A: "b" } }],
    apiKey: "k",
    options: { password: "p", depth: 2 },
    secrets: ["NPM_TOKEN"],
  };
  deepStrictEqual(toSharable(args), {
    commands: [{ command: "a" }],
    options: { depth: 2 },
    secrets: ["NPM_TOKEN"],
  });
  strictEqual(isSharable(args), false);
  strictEqual(isSharable({ command: "a", list: [1, null] }), true);
});

Deno.test("parseAddress() reads what toAddress() writes, and nothing else", () => {
  const args = { script: 'echo "é" # ?&/%\n', n: 1 };
  deepStrictEqual(parseAddress(toAddress(args) ?? ""), args);
  strictEqual(toAddress({ script: "x".repeat(8 * 1024) }), undefined);
  for (const text of ["", "%", "1", "[]", "{"]) strictEqual(parseAddress(text), undefined);
});

Deno.test("parseAddress() takes no variables, input or secrets from a link that others made", () => {
  const hostile = {
    command: "ls",
    env: { LD_PRELOAD: "/tmp/x.so" },
    commands: [{ command: "a", stdin: "b" }],
  };
  const text = encodeURIComponent(JSON.stringify(hostile));
  deepStrictEqual(parseAddress(text), { command: "ls", commands: [{ command: "a" }] });
});
