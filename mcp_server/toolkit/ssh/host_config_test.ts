import { ok, strictEqual, throws } from "node:assert/strict";
import { expandPath, expandTokens, toHostConfig } from "./host_config.ts";

function timeoutOf(text: string): number | undefined {
  return toHostConfig(new Map([["connecttimeout", [text]]]), {
    tokens: { h: "web", p: "22", r: "ann" },
    refuse: (state) => new Error(state),
    home: "/home/ann",
    env: () => undefined,
  }).connectTimeoutMs;
}

const TIMES: readonly (readonly [text: string, ms: number | undefined])[] = [
  ["90", 90_000],
  ["1m30s", 90_000],
  ["1M30", 90_000],
  ["2w", 600_000],
  ["9".repeat(400), 600_000],
  ["0", undefined],
  ["none", undefined],
  ["", undefined],
  ["s", undefined],
  ["1ss", undefined],
  ["1.5", undefined],
  ["-1", undefined],
];

for (const [text, ms] of TIMES) {
  Deno.test(`toHostConfig() reads the time ${JSON.stringify(text.slice(0, 10))}`, () => {
    strictEqual(timeoutOf(text), ms);
  });
}

Deno.test("toHostConfig() rejects a long number that is no time at once", () => {
  const startedAt = performance.now();
  strictEqual(timeoutOf(`${"1".repeat(50_000)}x`), undefined);
  ok(performance.now() - startedAt < 20_000);
});

const TOKENS = { h: "host.example.org", p: "22", r: "ann", d: "/home/%h" };
const refuse = (state: string) => new RangeError(`Cannot expand "it": ${state}`);
const PARTS = {
  tokens: TOKENS,
  refuse,
  home: "/home/50%p",
  env: (name: string) => name === "KEYS" ? "/keys/%h" : undefined,
};

Deno.test("expandTokens() replaces each token once, and rejects unknown ones by name", () => {
  strictEqual(expandTokens("nc %h %p", PARTS), "nc host.example.org 22");
  strictEqual(expandTokens("%%h %d %%%r", PARTS), "%h /home/%h %ann");
  for (const [text, token] of [["a%z", "%z"], ["%", "%"], ["%constructor", "%c"]] as const) {
    throws(() => expandTokens(text, PARTS), {
      name: "RangeError",
      message: `Cannot expand "it": the token "${token}" is unknown`,
    });
  }
});

Deno.test("expandPath() expands the home folder, tokens and variables, none of them twice", () => {
  strictEqual(expandPath("~/.ssh/%r", PARTS), "/home/50%p/.ssh/ann");
  strictEqual(expandPath("~", PARTS), "/home/50%p");
  strictEqual(expandPath("~bob/x", PARTS), "~bob/x");
  strictEqual(expandPath("${KEYS}/%h", PARTS), "/keys/%h/host.example.org");
  throws(() => expandPath("${OTHER}/x", PARTS), {
    message: 'Cannot expand "it": the variable "OTHER" is not set',
  });
});
