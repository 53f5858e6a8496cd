import { strictEqual } from "node:assert/strict";
import { matchesPattern, matchesPatterns } from "./host_pattern.ts";

Deno.test("matchesPattern() knows * and ?, and no other signs", () => {
  const cases: [name: string, pattern: string, matches: boolean][] = [
    ["web1", "web1", true],
    ["WEB1", "web1", true],
    ["web1", "web?", true],
    ["web", "web?", false],
    ["web12", "web?", false],
    ["a.b.example.org", "*.example.org", true],
    ["example.org", "*.example.org", false],
    ["axbxc", "a*b*c", true],
    ["axbx", "a*b*c", false],
    ["", "*", true],
    ["webx1", "web.1", false],
    ["[h]:22", "[h]:22", true],
  ];
  for (const [name, pattern, matches] of cases) {
    strictEqual(matchesPattern(name, pattern), matches, `${name} ${pattern}`);
  }
});

Deno.test("matchesPatterns() takes one match, and lets a negated match take it back", () => {
  strictEqual(matchesPatterns("a.org", ["b.org", "*.org"]), true);
  strictEqual(matchesPatterns("a.org", ["*.org", "!a.org"]), false);
  strictEqual(matchesPatterns("a.org", ["!a.org", "*.org"]), false);
  strictEqual(matchesPatterns("a.org", ["!b.org"]), false);
});
