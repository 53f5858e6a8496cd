import { deepStrictEqual, throws } from "node:assert/strict";
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
    deepStrictEqual(parseConfigLines(`\n# a\n${line}\n`), [{ keyword, text, words }]);
  });
}

for (const line of ["", " ", "#", "\t# Port 22", "\0", '"Port']) {
  Deno.test(`parseConfigLines() skips ${JSON.stringify(line)}`, () => {
    deepStrictEqual(parseConfigLines(line), []);
  });
}

Deno.test("parseConfigLines() reports the line that is wrong", () => {
  throws(() => parseConfigLines("Host a\n  Port\n"), {
    message: 'line 2 has no value after "Port"',
  });
  throws(() => parseConfigLines('Host "a'), { message: "line 1 has a quote without an end" });
});

Deno.test("takeWord() takes one word, and reports a quote without an end", () => {
  deepStrictEqual(takeWord('host "a b" user c'), ["host", '"a b" user c']);
  deepStrictEqual(takeWord('"a b" user c'), ["a b", "user c"]);
  deepStrictEqual(takeWord("="), ["", ""]);
  deepStrictEqual([takeWord(""), takeWord('a"b')], [undefined, undefined]);
});
