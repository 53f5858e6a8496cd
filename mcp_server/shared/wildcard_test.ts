import { strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { matchesPath, mayLeadTo } from "./wildcard.ts";

const MATCHES: readonly [pattern: string, yes: readonly string[], no: readonly string[]][] = [
  ["/srv/**", ["/srv", "/srv/a", "/srv/a/b/c", "/srv/.hidden", "/srv/a\nb"], [
    "/",
    "/srv2",
    "/srv-x/a",
    "/SRV",
    "/SRV/a",
    "/a/srv",
    "/srv\n/a",
  ]],
  ["/srv/*", ["/srv/a", "/srv/.a"], ["/srv", "/srv/a/b"]],
  ["/srv", ["/srv"], ["/srv/a", "/sr", "/"]],
  ["/", ["/"], ["/a"]],
  ["/**", ["/", "/a", "/a/b"], []],
  ["/srv/**/log", ["/srv/log", "/srv/a/log", "/srv/a/b/log"], ["/srv", "/srv/alog", "/srv/log/a"]],
  ["/srv/**/log/**", ["/srv/log", "/srv/a/log/b/c"], ["/srv/a"]],
  ["/**/**/a", ["/a", "/b/a", "/b/c/a"], ["/", "/a/b"]],
  ["/srv/a*c", ["/srv/ac", "/srv/abc", "/srv/abcc"], ["/srv/ab", "/srv/a/c", "/srv/acd"]],
  ["/srv/a**c", ["/srv/ac", "/srv/abc"], ["/srv/a/c", "/srv/a/b/c"]],
  ["/srv/?", ["/srv/a"], ["/srv", "/srv/", "/srv/ab", "/srv/a/b"]],
  ["/srv/[ab]", ["/srv/[ab]"], ["/srv/a"]],
  ["/srv/{a,b}.txt", ["/srv/{a,b}.txt"], ["/srv/a.txt"]],
  ["/srv/\u00e9/**", ["/srv/\u00e9/a"], ["/srv/e\u0301/a"]],
  ["/*/b", ["/a/b"], ["/b", "/a/c/b"]],
];

for (const [pattern, yes, no] of MATCHES) {
  Deno.test(`matchesPath() ${pattern}`, () => {
    for (const path of yes) strictEqual(matchesPath(path, ["/never", pattern]), true, path);
    for (const path of no) strictEqual(matchesPath(path, ["/never", pattern]), false, path);
  });
}

Deno.test("matchesPath() without patterns matches nothing", () => {
  strictEqual(matchesPath("/", []), false);
  strictEqual(mayLeadTo("/", []), false);
});

Deno.test("mayLeadTo() is true for what matches and the folders above it", () => {
  for (const path of ["/", "/srv", "/srv/a", "/srv/a/b", "/srv/a/b/c"]) {
    strictEqual(mayLeadTo(path, ["/srv/a/b/**"]), true, path);
  }
  for (const path of ["/etc", "/srv/b", "/srva", "/srv/a/c"]) {
    strictEqual(mayLeadTo(path, ["/srv/a/b/**"]), false, path);
  }
});

const name = fc.stringMatching(/^[ab]{1,2}$/);
const path = fc.array(name, { maxLength: 4 }).map((names) => `/${names.join("/")}`);
const part = fc.oneof(name, fc.constantFrom("*", "**", "a*", "*b", "?"));
const pattern = fc.array(part, { maxLength: 4 }).map((parts) => `/${parts.join("/")}`);

/** The same as a regular expression, which backtracks. */
function toExpression(pattern: string): RegExp {
  const parts = pattern.split("/").filter((part) => part !== "").map((part) =>
    part === "**"
      ? "(?:/[^/]+)*"
      : `/(?=[^/])${part.replaceAll("*", "[^/]*").replaceAll("?", "[^/]")}`
  );
  return new RegExp(`^${parts.join("")}/?$`, "s");
}

Deno.test("matchesPath() agrees with a regular expression", () => {
  fc.assert(
    fc.property(
      path,
      pattern,
      (path, pattern) => matchesPath(path, [pattern]) === toExpression(pattern).test(path),
    ),
    { numRuns: 2_000 },
  );
});

Deno.test("mayLeadTo() never rejects a folder above a match", () => {
  fc.assert(
    fc.property(path, pattern, (path, pattern) => {
      fc.pre(matchesPath(path, [pattern]));
      const names = path.split("/").slice(1);
      return names.every((_, at) => mayLeadTo(`/${names.slice(0, at).join("/")}`, [pattern]));
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("matchesPath() takes no exponential time", () => {
  const deep = `/${Array.from({ length: 2_000 }, () => "a".repeat(100)).join("/")}`;
  const hostile = `${"/**/a*a*a*a*".repeat(20)}/x`;
  const start = performance.now();
  strictEqual(matchesPath(deep, [hostile]), false);
  strictEqual(performance.now() - start < 20_000, true);
});
