import { ok } from "node:assert/strict";
import { RE2JS } from "re2js";
import { patternSize } from "./line_pattern.ts";

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
