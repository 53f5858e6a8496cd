import { match, ok } from "node:assert/strict";
import fc from "fast-check";
import { edited } from "../../test_support/fuzz/edited.ts";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { ToolError } from "../shared/error.ts";
import { loadLinePatterns, patternSize } from "../shared/line_pattern.ts";

/** A pattern, and a line in which it is searched for. */
interface Search {
  readonly pattern: string;
  readonly ignoreCase: boolean;
  readonly line: string;
}

/** The longest that a search may take: a line of the output of a job has no more characters. */
const LONGEST_LINE = 20_000;
const SEARCH_MS = 5_000;

const PIECE = fc.constantFrom(
  ..."ab .:-/=<>%".split(""),
  ...["\\.", "\\d", "\\w+", "\\b", "\\n", "\\Qa.b\\E", "\\Q(", "\\x{1F511}", "\\pL", "\\p{Greek}"],
  ...["[ab]", "[^a]", "[[:alpha:]]", "[]a]", "(a|b)", "(?i)", "(?:a)", "(?P<n>a)", "(", ")", "|"],
  ...[
    "*",
    "+",
    "?",
    "{2}",
    "{1,}",
    "{0,1000}",
    "{1001}",
    "a{2}{3}",
    "(a{50}){50}",
    "^",
    "$",
    "\\1",
  ],
  ...["(?=a)", "é", "\u{1f511}", "\\"],
);
const PATTERN = fc.array(PIECE, { maxLength: 8 }).map((all) => all.join(""));
const LINE = fc.oneof(
  fc.array(fc.constantFrom("a", "b", "A", " ", ".", ":", "a.b", "é", "\u{1f511}", "\ud800"), {
    maxLength: 30,
  }).map((all) => all.join("")),
  fc.nat(LONGEST_LINE).map((length) => "a".repeat(length)),
);

/** Patterns of searches: each is refused, or takes a bounded time, and finds no less with its literal. */
export const linePatterns: Surface = defineSurface<Search>({
  name: "mcp-line-patterns",
  deadlineMs: SEARCH_MS,
  open: async () => {
    const compile = await loadLinePatterns();
    return {
      inputs: fc.record({
        pattern: fc.oneof({ weight: 4, arbitrary: PATTERN }, edited(PATTERN), fc.string()),
        ignoreCase: fc.boolean(),
        line: LINE,
      }),
      check: ({ pattern, ignoreCase, line }) => {
        ok(Number.isFinite(patternSize(pattern)), "no size");
        let compiled;
        try {
          compiled = compile(pattern, { ignoreCase });
        } catch (error) {
          ok(error instanceof ToolError && error.code === "BAD_PATTERN", `another error: ${error}`);
          return match(error.message, /^Cannot search for ".*[^.]$/s);
        }
        const at = compiled.search(line);
        ok(at >= -1 && at <= line.length, `a match at ${at}`);
        ok(compiled.test(line) === at >= 0, "test() and search() differ");
        const { literal = "" } = compiled;
        ok(at < 0 || line.includes(literal), `it matches without its literal "${literal}"`);
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  },
});
