import { deepStrictEqual, ok } from "node:assert/strict";
import { parseConfigLines, takeWord } from "./config_lines.ts";

const LINES: readonly (readonly [line: string, keyword: string, text: string, words: string[]])[] =
  [
    ["Port 22", "port", "22", ["22"]],
    ["\t PORT = 22 \r", "port", "22", ["22"]],
    ["Port=22", "port", "22", ["22"]],
    ["Port==22", "port", "=22", ["=22"]],
    ['"Port" 22', "port", "22", ["22"]],
    ["Port 22 # why", "port", "22 # why", ["22"]],
    ["IdentityFile a#b", "identityfile", "a#b", ["a#b"]],
    ["Host \"a b\" c\\ d 'e f'", "host", "\"a b\" c\\ d 'e f'", ["a b", "c d", "e f"]],
    ['User a\\"b\\c\\\\', "user", 'a\\"b\\c\\\\', ['a"b\\c\\']],
    ['User a"b c"d', "user", 'a"b c"d', ["ab cd"]],
    ['User ""', "user", '""', [""]],
    ['ProxyCommand sh -c "nc %h"', "proxycommand", 'sh -c "nc %h"', ["sh", "-c", "nc %h"]],
    ["User a\0b", "user", "a", ["a"]],
  ];

for (const [line, keyword, text, words] of LINES) {
  Deno.test(`parseConfigLines() reads ${JSON.stringify(line)}`, () => {
    const lines = [{ keyword, text, words }];
    deepStrictEqual(parseConfigLines(`\n# a\n${line}\n`), { ok: true, lines });
  });
}

for (const line of ["", " ", "#", "\t# Port 22", "\0", '"Port']) {
  Deno.test(`parseConfigLines() skips ${JSON.stringify(line)}`, () => {
    deepStrictEqual(parseConfigLines(line), { ok: true, lines: [] });
  });
}

const FAULTS: readonly (readonly [text: string, fault: string])[] = [
  ["Host a\n  Port\n", 'line 2 has no value after "Port"'],
  ['Host "a', "line 1 has a quote without an end"],
  ["Match host", 'line 1 has no value after "host"'],
  ['Match ""', "line 1 has no criteria"],
  ["Match all user #a", 'line 1 has no value after "user"'],
];

for (const [text, fault] of FAULTS) {
  Deno.test(`parseConfigLines() reports that ${fault}`, () => {
    deepStrictEqual(parseConfigLines(text), { ok: false, fault });
  });
}

Deno.test("parseConfigLines() reads a line with much white space at once", () => {
  const startedAt = performance.now();
  const parsed = parseConfigLines(`Host a${" ".repeat(1_000_000)}b `);
  deepStrictEqual(parsed.ok && parsed.lines[0]?.words, ["a", "b"]);
  ok(performance.now() - startedAt < 5_000);
});

Deno.test("takeWord() takes one word, and reports a quote without an end", () => {
  deepStrictEqual(takeWord('host "a b" user c'), ["host", '"a b" user c']);
  deepStrictEqual(takeWord('"a b" user c'), ["a b", "user c"]);
  deepStrictEqual(takeWord("="), ["", ""]);
  deepStrictEqual([takeWord(""), takeWord('a"b')], [undefined, undefined]);
});
