import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createRedactor } from "../shared/log.ts";
import { showArguments, toAuditedArguments } from "./shown_call.ts";

const { replacer } = createRedactor(["s3cret-value"]);

/** Each text, and how a person sees it. */
const TEXTS: readonly (readonly [text: string, shown: string])[] = [
  ["plain é 漢 \u{1f600}", '"plain é 漢 \u{1f600}"'],
  ["a\nb\tc", '"a\\nb\\tc"'],
  ["rm\u202e/ fr-", '"rm\\u202e/ fr-"'],
  ["zero\u200bwidth\ufeff", '"zero\\u200bwidth\\ufeff"'],
  ["c1 \u0085\u009b31m", '"c1 \\u0085\\u009b31m"'],
  ["line\u2028end\u2029", '"line\\u2028end\\u2029"'],
  ["tag \u{e0041}", '"tag \\udb40\\udc41"'],
  [
    "joined \u034f\u17b4\u180b\ufe0f\u{e0101}",
    '"joined \\u034f\\u17b4\\u180b\\ufe0f\\udb40\\udd01"',
  ],
  ["filled \u115f\u3164\uffa0", '"filled \\u115f\\u3164\\uffa0"'],
  ["blank \u2800\u{1d159}", '"blank \\u2800\\ud834\\udd59"'],
  ["space \u00a0\u1680\u2003\u202f\u3000", '"space \\u00a0\\u1680\\u2003\\u202f\\u3000"'],
  ["half \ud83d", '"half \\ud83d"'],
  ["<script>alert(1)</script>", '"<script>alert(1)</script>"'],
  ["has s3cret-value in it", '"has [redacted] in it"'],
];

Deno.test("showArguments() escapes what a person can't see, and redacts secrets", () => {
  for (const [text, shown] of TEXTS) {
    deepStrictEqual(showArguments(text, 1_000, replacer), {
      text: shown,
      length: JSON.stringify(text).length,
      truncated: false,
    });
  }
  const { text } = showArguments({ env: { API_TOKEN: "x" }, ["\u202ekey"]: 1 }, 1_000, replacer);
  deepStrictEqual(text, '{\n  "env": {\n    "API_TOKEN": "[redacted]"\n  },\n  "\\u202ekey": 1\n}');
});

Deno.test("showArguments() says that something is not shown if a key hides its value", () => {
  const args = (name: string) => ({ command: `sh -c "$${name}"`, env: { [name]: "rm -r data" } });
  const isPart = (name: string) => showArguments(args(name), 1_000, replacer).truncated;
  deepStrictEqual([isPart("X"), isPart("X_TOKEN")], [false, true]);
});

Deno.test("showArguments() shows both ends of a long text, and says what it leaves out", () => {
  const content = `${"a".repeat(5_000)}s3cret-value${"z".repeat(5_000)}`;
  const { text, length, truncated } = showArguments({ content }, 16_384, replacer);
  match(text, /"a{1500}\[\.\.\. \d+ characters are not shown \.\.\.\]z{400}"/);
  deepStrictEqual([length > 10_000, truncated], [true, true]);
});

Deno.test("showArguments() reveals no part of a secret where it cuts", () => {
  for (let before = 1_480; before < 1_500; before++) {
    const content = `${"a".repeat(before)}s3cret-value${"z".repeat(5_000)}`;
    const { text } = showArguments({ content }, 16_384, replacer);
    ok(!text.includes("s3"), text.slice(1_400, 1_600));
  }
});

Deno.test("showArguments() is bounded, whatever the arguments are", () => {
  const many = Array.from({ length: 20_000 }, (_, at) => [`k${at}`, "\u0000".repeat(50)]);
  const { text, truncated } = showArguments(Object.fromEntries(many), 4_096, replacer);
  strictEqual(text.length, 4_096);
  strictEqual(truncated, true);
  match(text, /\n\[\.\.\. the rest of \d+ characters is not shown\]$/);
});

Deno.test("showArguments() redacts a secret that is a key", () => {
  const { text } = showArguments(
    { env: { "s3cret-value": [{ "a s3cret-value": 1 }] } },
    99,
    replacer,
  );
  deepStrictEqual(JSON.parse(text), { env: { "[redacted]": [{ "a [redacted]": 1 }] } });
});

Deno.test("toAuditedArguments() writes one line of ASCII that is JSON", () => {
  for (const [text, shown] of TEXTS) {
    const line = toAuditedArguments({ text }, 1_000, replacer);
    match(line, /^[\x20-\x7e]+$/);
    strictEqual(JSON.parse(line).text, JSON.parse(shown));
  }
  strictEqual(toAuditedArguments(undefined, 1_000, replacer), "null");
});

Deno.test("toAuditedArguments() is bounded, and then a text that reveals no secret", () => {
  for (let before = 0; before < 60; before++) {
    const texts = Array.from(
      { length: 60 },
      (_, at) => `${'"\\é'.repeat(before + at)} s3cret-value`,
    );
    const line = toAuditedArguments({ texts }, 1_024, replacer);
    ok(line.length <= 1_024 && line.length > 1_000, `${line.length}`);
    ok(!line.includes("s3"), line);
    match(JSON.parse(line), /^\{"texts":\[.*\[\.\.\. the rest of \d+ characters is left out\]$/);
  }
});
