import { deepStrictEqual, strictEqual } from "node:assert/strict";
import {
  isAllowedHost,
  matchesPattern,
  matchesPatterns,
  parseHostName,
  parseJump,
} from "./hosts.ts";
import { isUserName } from "./host_schema.ts";

const HOSTS: readonly [text: string, parsed: object][] = [
  ["web1", { name: "web1" }],
  ["Web-1.Example.org", { name: "web-1.example.org" }],
  ["web_1.example.org.", { name: "web_1.example.org." }],
  ["web1:2222", { name: "web1", port: 2222 }],
  ["192.0.2.7:22", { name: "192.0.2.7", port: 22 }],
  ["::1", { name: "::1" }],
  ["[2001:DB8::7]", { name: "2001:db8::7" }],
  ["[2001:db8::7]:65535", { name: "2001:db8::7", port: 65_535 }],
];

for (const [text, parsed] of HOSTS) {
  Deno.test(`parseHostName() accepts ${text}`, () => deepStrictEqual(parseHostName(text), parsed));
}

Deno.test("parseHostName() rejects options, users, shell syntax and what is not a host", () => {
  const bad = [
    "",
    "-",
    "-oProxyCommand=id",
    "a-",
    "user@host",
    "a b",
    "a\n",
    "$(id)",
    "`id`",
    "a;b",
  ];
  const ports = ["a:", "a:0", "a:65536", "a:22x", "a:-1", "a:1:2", ":22", "[::1]:0", "[::1]x"];
  const odd = ["[a]", "[]", "fe80::1%eth0", "%h", "é", "a/b", "*", "a'b", "a\0", "a".repeat(254)];
  for (const text of [...bad, ...ports, ...odd]) {
    strictEqual(parseHostName(text), undefined, JSON.stringify(text));
  }
});

Deno.test("isUserName() accepts account names and nothing that a shell would interpret", () => {
  for (const name of ["root", "www-data", "a.b", "a_b", "svc$", "user@realm", "1000"]) {
    strictEqual(isUserName(name), true, name);
  }
  for (const name of ["", "-l", "a b", "$HOME", "a;b", "a\n", "`a`", "a'b", "../a"]) {
    strictEqual(isUserName(name), false, name);
  }
});

Deno.test("parseJump() reads the hops of ProxyJump", () => {
  deepStrictEqual(parseJump("web1"), { name: "web1" });
  deepStrictEqual(parseJump(" ann@web1:2222 "), { name: "web1", port: 2222, user: "ann" });
  deepStrictEqual(parseJump("ssh://ann@[::1]:22/"), { name: "::1", port: 22, user: "ann" });
  for (const text of ["", "-J", "$(id)@web1", "ann@-web1"]) strictEqual(parseJump(text), undefined);
});

Deno.test("matchesPattern() knows the wildcards * and ?, and no others", () => {
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

Deno.test("matchesPatterns() needs one match, which a negated match overrides", () => {
  strictEqual(matchesPatterns("a.org", ["b.org", "*.org"]), true);
  strictEqual(matchesPatterns("a.org", ["*.org", "!a.org"]), false);
  strictEqual(matchesPatterns("a.org", ["!a.org", "*.org"]), false);
  strictEqual(matchesPatterns("a.org", ["!b.org"]), false);
});

Deno.test("isAllowedHost() compares names and addresses, and the port if one is given", () => {
  const cases: [names: string[], port: number, entries: string[], allowed: boolean][] = [
    [["web1"], 22, ["web1"], true],
    [["web1"], 2222, ["web1"], true],
    [["web1"], 22, ["web1:22"], true],
    [["web1"], 23, ["web1:22"], false],
    [["web1"], 22, ["web2", "web*"], true],
    [["web1", "10.0.0.1"], 22, ["10.0.0.*"], true],
    [["web1.evil.org"], 22, ["web1"], false],
    [["::1"], 22, ["::1"], true],
    [["::1"], 22, ["[::1]"], true],
    [["::1"], 22, ["[::1]:22"], true],
    [["::1"], 23, ["[::1]:22"], false],
    [["web1"], 22, [], false],
    [["10.77.0.evil.example"], 22, ["10.77.0.*"], false],
    [["10.77.0.evil.example"], 22, ["10.77.0.*:22"], false],
    [["10.77.0.evil.example", "10.77.0.5"], 22, ["10.77.0.*"], true],
    [["10.77.0.5"], 22, ["10.77.0.*"], true],
    [["10.evil.example"], 22, ["10.*", "10*", "1?.*", "*.77.0.*"], false],
    [["10.077.0.5"], 22, ["10.0*"], false],
    [["10.77.0.1a"], 22, ["10.77.0.??"], false],
    [["10.77.0.12"], 22, ["10.77.0.??"], true],
    [["a.b.c.d"], 22, ["*.*.*.*", "?.?.?.?"], false],
    [["10.77.0.5"], 22, ["*.*.*.*"], true],
    [["fd00::5"], 22, ["fd00::*"], true],
    [["fd00.evil.example"], 22, ["fd00:*", "[fd00:*]"], false],
    // These are patterns of names.
    [["web1"], 22, ["*1"], true],
    [["10.77.0.evil.example"], 22, ["*"], true],
    [["10.77.0.own.example"], 22, ["10.77.0.*.example"], true],
    [["42"], 22, ["42"], true],
  ];
  for (const [names, port, entries, allowed] of cases) {
    strictEqual(isAllowedHost(names, port, entries), allowed, `${names} ${port} ${entries}`);
  }
});
