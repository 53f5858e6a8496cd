import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { requires } from "../../../test_support/services.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { times } from "../../../test_support/tier.ts";
import { loadLinePatterns } from "../../shared/line_pattern.ts";
import { BY_PATH } from "./folder_walk.ts";
import { Ripgrep, toRipgrepPattern } from "./ripgrep.ts";
import { beginWalk, continueWalk, endWalk, passFiles, type SearchRequest } from "./walk_task.ts";

const compile = await loadLinePatterns();

/** What a walk finds that is told about some files. */
async function search(request: SearchRequest, passed: readonly string[] = []): Promise<unknown> {
  const walk = await beginWalk(request, BY_PATH);
  try {
    passFiles(walk, passed);
    for (;;) {
      const result = continueWalk(walk, false);
      if (result !== null) return result;
    }
  } finally {
    endWalk(walk);
  }
}

/** The files that ripgrep names, once it has seen all. */
async function passedBy(request: SearchRequest): Promise<string[] | undefined> {
  using program = Ripgrep.start(request);
  await program?.ended;
  return program?.take();
}

const CHARACTERS = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(..."aabkKsS_1-. \t(".split("")) },
  { weight: 1, arbitrary: fc.constantFrom("é", "ſ", "\u212a", "\u2028", "\u0085", "\ufeff", "😀") },
  { weight: 1, arbitrary: fc.constantFrom("\r", "\f", "\u007f", "\u001b", "\ufffd") },
  { weight: 1, arbitrary: fc.constantFrom("\u000b", "\u0000") },
);
/** Beside texts, bytes that are not UTF-8. */
const LINE = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(CHARACTERS, { maxLength: 6 }).map((all) => bytes(all.join(""))),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 6 }) },
  { weight: 1, arbitrary: fc.constantFrom(bytes("a\r"), new Uint8Array([0xff, 0xfe, 0x61, 0])) },
);
const CONTENT = fc.record({ lines: fc.array(LINE, { maxLength: 4 }), end: fc.boolean() })
  .map(({ lines, end }) => {
    const joined = lines.flatMap((line, at) => [...(at === 0 ? [] : [10]), ...line]);
    return Uint8Array.from(end && lines.length > 0 ? [...joined, 10] : joined);
  });

/** What is written for ripgrep. */
const USUAL = fc.constantFrom(
  ...["a", "b", "k", "s", "_", "1", "\\.", "\\-", "\\(", "\\t", "\\<", "~", "&&", "xyz", "xyz"],
  ...[".", "^", "$", "\\b", "\\B", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S"],
  ...["[ab]", "[^a]", "[a-k]", "[]a]", "[^]-]", "[\\w-]", "[^\\s]", "[\\S]", "[[:alpha:]]", "[k]"],
  ...["[[:^alpha:]a]", "[^[:space:]]", "[a&&b]", "[a--b]", "[\\]\\\\]", "[-a]", "[\\d-a]", "[~~]"],
);
const UNUSUAL = fc.constantFrom(
  ...[
    "é",
    "\\x61",
    "\\n",
    "\\r",
    "\\A",
    "\\z",
    "\\pL",
    "\\Qa\\E",
    "[é]",
    "[a[]",
    "{",
    "}",
    "a{,2}",
  ],
  ...["(?i)a", "(?s).", "(?m)^", "\\1", "[z-a]", "\\u", "**"],
);
const ATOM = fc.oneof({ weight: 12, arbitrary: USUAL }, { weight: 1, arbitrary: UNUSUAL });
const PATTERN = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 3, depthIdentifier: "pattern" },
    ATOM,
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => a + b),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `${a}|${b}`),
    fc.tuple(fc.constantFrom("(", "(?:", "(?P<n>", "(?<m>"), tie("pattern"))
      .map(([open, a]) => `${open}${a})`),
    fc.tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "*?", "{2}", "{1,}", "{0,2}?"))
      .map(([a, repeat]) => a + repeat),
  ),
})).pattern;

/** Contents that match, though a naive reading of the pattern does not see it. */
const TRICKY: readonly (readonly [content: Uint8Array, pattern: string, ignoreCase?: boolean])[] = [
  [bytes("a\r\n"), "a$"],
  [bytes("\r\n"), "^$"],
  [bytes("ſ"), "s", true],
  [bytes("\u212a"), "[k]", true],
  [bytes("a\u000b"), "a\\S"],
  [bytes("😀"), "^.$"],
  [bytes("é"), "^[^a]$"],
  [bytes("é"), "^\\W$"],
  [bytes("é"), "^[[:^alpha:]a]$"],
  [Uint8Array.of(0xff), "^.$"],
  [Uint8Array.of(0xff, 0xfe, 0x61, 0), "a"],
  [bytes(`${"x".repeat(256 * 1024)}a`), "^a"],
];

/** A folder, and what is searched for in it. */
interface Case {
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly ignore?: string | undefined;
  readonly pattern: string;
  readonly more: Pick<SearchRequest, "ignoreCase" | "all" | "glob" | "context" | "limit">;
}

const CASES: fc.Arbitrary<Case> = fc.record({
  files: fc.dictionary(
    fc.constantFrom("a.ts", "b", "d/a.ts", "d/c.ts", "e/f/a", ".h/a.ts", "x\ny", "é", "d/.ignore"),
    CONTENT,
    { minKeys: 1 },
  ),
  ignore: fc.constantFrom(undefined, "*.ts\n", "d/\n!d/c.ts\n", "/b\n!a.ts"),
  pattern: PATTERN,
  more: fc.record({
    ignoreCase: fc.boolean(),
    all: fc.boolean(),
    glob: fc.constantFrom(undefined, undefined, "*.ts", "{a,b}*", "d/*", "[", "!a.ts"),
    context: fc.constantFrom(0, 1),
    limit: fc.constantFrom(1, 100),
  }),
});

/**
 * Searches with ripgrep and without; the answers must be the same. Returns how many files ripgrep has
 * named, or `undefined` if it can't search.
 */
async function searchTwice({ files, ignore, pattern, more }: Case): Promise<number | undefined> {
  await using folder = await createTempFolder();
  const { path } = folder;
  for (const [name, content] of Object.entries(files)) {
    const at = `${path}/${name}`;
    await Deno.mkdir(at.slice(0, at.lastIndexOf("/")), { recursive: true });
    await Deno.writeFile(at, content);
  }
  if (ignore !== undefined) await Deno.writeTextFile(`${path}/.gitignore`, ignore);
  const request: SearchRequest = {
    ...{ action: "search", path, isFile: false, pattern, maxText: 10_000 },
    ...more,
  };
  const expected = await search(request).catch((error: Error) => error);
  if (expected instanceof Error) return undefined;
  const passed = await passedBy(request);
  if (passed === undefined) return undefined;
  deepStrictEqual(await search(request, passed), expected);
  return passed.length;
}

Deno.test({
  ...requires(
    "ripgrep",
    "a search answers the same with ripgrep, whatever is searched, and for what",
  ),
  fn: async () => {
    for (const [content, pattern, ignoreCase = false] of TRICKY) {
      const more = { ignoreCase, all: false, context: 0, limit: 100 };
      strictEqual(await searchTwice({ files: { a: content }, pattern, more }), 0, pattern);
    }
    const seen = { named: 0, left: 0, without: 0 };
    await fc.assert(
      fc.asyncProperty(CASES, async (each) => {
        const named = await searchTwice(each);
        if (named === undefined) return void seen.without++;
        seen.named += named;
        seen.left += Object.keys(each.files).length - named;
      }),
      { numRuns: times(100, 400) },
    );
    ok(seen.named > 20 && seen.left > 20 && seen.without > 2, JSON.stringify(seen));
  },
});

Deno.test({
  ...requires("ripgrep", "ripgrep ends with its search, and two run at once"),
  fn: async () => {
    const wide = { path: "/usr", isFile: false, all: true, context: 0, limit: 1, maxText: 1_000 };
    const request = { action: "search", pattern: "never-in-a-file", ...wide } as const;
    for (let turn = 0; turn < 3; turn++) {
      const programs = [1, 2, 3].map(() => Ripgrep.start(request));
      deepStrictEqual(programs.map((program) => program !== undefined), [true, true, false]);
      for (const program of programs) program?.[Symbol.dispose]();
      await Promise.all(programs.map((program) => program?.ended));
    }
    strictEqual(Ripgrep.start(request, "/nowhere"), undefined);
    strictEqual(Ripgrep.start({ ...request, pattern: "\\Aa" }), undefined);
    strictEqual(Ripgrep.start({ ...request, glob: "a/*" }), undefined);
  },
});

/** Patterns that ripgrep might read in another way. */
const LEFT = [
  ...["é", "\\pL", "\\Qa.b\\E", "(?i)a", "a(?s).", "\\Aa", "a\\z", "\\x61", "\\n", "\\<a", "a{,2}"],
  ...["[a-\\w]", "\\C", "[é]", "}", "]"],
];

Deno.test("toRipgrepPattern() leaves out patterns that might mean something else", () => {
  const written = LEFT.filter((pattern) => toRipgrepPattern(pattern) !== undefined);
  deepStrictEqual(written, ["\\<a"]);
  strictEqual(toRipgrepPattern("\\<a")?.text, "(?-u:\\x3ca)");
});

/** How usual patterns are written. */
const WRITTEN: readonly (readonly [pattern: string, text: string, hasEdges: boolean])[] = [
  ["a-b/c", "a\\x2db\\x2fc", false],
  ["^import .*", "^import\\x20(?:[^\\n\\x80-\\xff]|[\\x80-\\xff]{1,4})*", true],
  ["(?P<n>a|b)+?", "(?:a|b)+?", false],
  ["x{2,3}$", "x{2,3}\\r?$", true],
  ["[^a-z&]\\D", "(?:[^a-z\\x26]|[\\x80-\\xff]{1,4})(?:\\D|[\\x80-\\xff]{1,4})", false],
];

Deno.test("toRipgrepPattern() writes patterns for bytes, and says which see the ends of lines", () => {
  for (const [pattern, text, hasEdges] of WRITTEN) {
    compile(pattern);
    const written = toRipgrepPattern(pattern);
    deepStrictEqual([written?.text, written?.hasEdges], [`(?-u:${text})`, hasEdges], pattern);
  }
  strictEqual(toRipgrepPattern("k", { ignoreCase: true })?.text, "(?i-u:k)");
});

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
