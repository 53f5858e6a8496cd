import { deepStrictEqual, throws } from "node:assert/strict";
import { loadLinePatterns } from "../../shared/line_pattern.ts";
import { compileGlob, parseFileFilter } from "./glob.ts";

const compile = await loadLinePatterns();

Deno.test("parseFileFilter() means names, or with a slash paths below the folder", () => {
  const cases: [glob: string, yes: string[], no: string[]][] = [
    ["*.ts", ["a.ts", "a/b.ts", ".ts", "a\n.ts"], ["a.tsx", "ts"]],
    ["*.{ts,t?x}", ["a.ts", "a/b.tsx"], ["a.tx", "a.{ts,tsx}"]],
    ["a/*.ts", ["a/b.ts"], ["a/b/c.ts", "b/a/c.ts"]],
    ["/*.ts", ["b.ts"], ["a/b.ts"]],
    ["./a/**", ["a/b", "a/b/c"], ["a", "b/a/c"]],
    ["**/a/*", ["a/b", "b/a/c"], ["a/b/c"]],
    ["a/**/b", ["a/b", "a/c/d/b"], ["a/cb"]],
    ["[a-c]", ["b"], ["d", "[a-c]"]],
    ["[!a]", ["b"], ["a", "bb"]],
    ["\\*", ["*"], ["a"]],
    ["{a,b{c,d}}", ["a", "bc", "bd"], ["b", "c"]],
    ["é?", ["é€"], ["é"]],
    ["a", ["a", "b/a"], ["ab"]],
    ["a|b", ["a|b"], ["a", "b"]],
    ["a.b", ["a.b"], ["axb"]],
  ];
  for (const [glob, yes, no] of cases) {
    const filter = parseFileFilter(glob, compile);
    const meant = [...yes, ...no].filter((path) => {
      return filter.matches(path.slice(path.lastIndexOf("/") + 1), path);
    });
    deepStrictEqual(meant, yes, glob);
  }
});

Deno.test("parseFileFilter() refuses a glob that can't be read", () => {
  for (const glob of ["[a", "{a,b", "a\\", "[[:none:]]"]) {
    throws(() => parseFileFilter(glob, compile), { code: "BAD_PATTERN" }, glob);
  }
});

Deno.test("compileGlob() takes linear time, whatever the name is", () => {
  const test = compileGlob(`${"*a".repeat(50)}b`, compile);
  const start = performance.now();
  deepStrictEqual(test?.("a".repeat(20_000)), false);
  deepStrictEqual(performance.now() - start < 20_000, true);
});
