import { deepStrictEqual, ok } from "node:assert/strict";
import * as fc from "fast-check";
import { RE2JS } from "re2js";
import { literalOf, patternSize } from "./line_pattern.ts";

const PATTERNS = [
  "a",
  "error.*timeout",
  "(?i)(error|warning|fatal).{0,200}timeout",
  "a{1000}b",
  "(a|aa|aaa|aaaa|aaaaa){900}[^a]",
  "((x{10}){10}){9}",
  "(?P<n>[]{9}]{5}){40}",
  "[^]{1000}]",
  "[[:alpha:]{1000}]{7}",
  "\\Q(a{1000}){1000}\\E",
  "\\(a{30}\\)",
  "(\\p{Greek}\\x{1f600}\\pL){100}",
  "(\\d{1,3}\\.){3}\\d{1,3}",
  "(a{2,}){100}",
  "(.?.?){500}",
];

Deno.test("patternSize() is at least the size of the program, and within four times of it", () => {
  for (const pattern of PATTERNS) {
    const [size, real] = [patternSize(pattern), RE2JS.compile(pattern).programSize()];
    ok(size + 5 >= real && size <= 4 * real + 10, `${pattern}: ${size} for ${real}`);
  }
});

Deno.test("patternSize() counts what takes seconds to compile without doing it", () => {
  for (const repeated of ["(a|bb){1000}".repeat(80), `(${"ab|bc|".repeat(160)}z){1000}`]) {
    ok(patternSize(repeated) > 100_000, repeated);
  }
});

Deno.test("literalOf() finds the longest text that each match has", () => {
  const cases: [pattern: string, literal: string | undefined][] = [
    ["needle", "needle"],
    ["^error.*needles?$", "needle"],
    ["read\\(file\\)", "read(file)"],
    ["ab+cd", "cd"],
    ["a{2}bc\\d", "bc"],
    ["[abc]de", "de"],
    ["\\bfoo\\b", "foo"],
    ["foo|bar", undefined],
    ["(?i)foo", undefined],
    ["\\Qa*b\\E", undefined],
    ["née", undefined],
    [".*", undefined],
  ];
  deepStrictEqual(cases.map(([pattern]) => literalOf(pattern)), cases.map(([, text]) => text));
});

const PART = fc.constantFrom(
  ...["a", "b", "ab", ".", "\\.", "a*", "b?", "b+", "a{2}", "[ab]", "[^a]", "^", "$", "\\w"],
  ...[
    "\\ba",
    "(b)",
    "a|b",
    "\\|",
    "\\\\",
    "(?i)",
    "b{0}",
    "a{,2}",
    "\\x61",
    "\\pL",
    "{",
    "-",
    "a*?",
  ],
);

Deno.test("literalOf() is in each text that matches", () => {
  const line = fc.string({ unit: fc.constantFrom("a", "b", "A", ".", "|", "\\", "-", "{") });
  fc.assert(
    fc.property(fc.array(PART, { minLength: 1, maxLength: 5 }), line, (parts, text) => {
      const pattern = parts.join("");
      const literal = literalOf(pattern);
      if (literal !== undefined && isMatch(pattern, text)) ok(text.includes(literal), pattern);
    }),
    { numRuns: 2_000 },
  );
});

function isMatch(pattern: string, text: string): boolean {
  try {
    return RE2JS.compile(pattern).test(text);
  } catch {
    return false;
  }
}
