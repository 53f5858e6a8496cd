import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { createToken, parseCallers } from "./parse_callers.ts";

const [ONE, TWO] = ["1".repeat(64), "ab".repeat(32)];
const ci = (rest: string) => `{"callers": {"ci": {"tokenSha256": "${ONE}"${rest}}}}`;

Deno.test("parseCallers() reads all that a file can say, and what is not named is not allowed", () => {
  const text = JSON.stringify({
    callers: {
      ci: {
        tokenSha256: TWO.toUpperCase(),
        tools: ["exec-command", "*-script"],
        hosts: ["*.example.org"],
        databases: { "main": "ro", "*": "rw" },
        paths: ["/srv/**"],
        secrets: ["NPM_*"],
        maxCalls: 8,
        maxJobs: 20,
        maxTimeoutMs: 60_000,
        admin: true,
        runAs: "build",
      },
      alice: { subject: "auth0|123", tokenSha256: [ONE, "2".repeat(64)] },
    },
  });
  const [first, second] = parseCallers(text);
  deepStrictEqual(first, {
    caller: {
      name: "ci",
      rights: {
        tools: ["exec-command", "*-script"],
        hosts: ["*.example.org"],
        databases: { "main": "ro", "*": "rw" },
        paths: ["/srv/**"],
        secrets: ["NPM_*"],
        maxCalls: 8,
        maxJobs: 20,
        maxTimeoutMs: 60_000,
        admin: true,
        runAs: "build",
      },
    },
    digests: [TWO],
  });
  deepStrictEqual(second, {
    caller: {
      name: "alice",
      rights: { tools: [], hosts: [], databases: {}, paths: [], secrets: [], admin: false },
    },
    digests: [ONE, "2".repeat(64)],
    subject: "auth0|123",
  });
  deepStrictEqual(parseCallers('{"callers": {}}'), []);
});

const REFUSED: readonly [text: string, reason: string][] = [
  ["", "it is not JSON"],
  [`{"callers": {"ci": {"tokenSha256": "${ONE}"}`, "it is not JSON"],
  ["[]", 'it must be {"callers": {...}}'],
  ['{"callers": []}', 'it must be {"callers": {...}}'],
  ['{"callers": {}, "version": 1}', 'it has an unknown key "version"; its only key is "callers"'],
  ['{"callers": {}, "callers": {}}', 'it has the key "callers" twice'],
  [ci(', "tools": [], "tools": ["*"]'), 'it has the key "tools" twice'],
  ['{"callers": {"default": {}}}', 'the name "default" is the server\'s own'],
  ['{"callers": {"nobody": {}}}', 'the name "nobody" is the server\'s own'],
  [
    ci(', "databases": {"__proto__": "ro", "*": "rw"}'),
    'the caller "ci": "databases" must not name "__proto__"',
  ],
  [
    '{"callers": {"__proto__": {}}}',
    'the name "__proto__" must be 1 to 64 letters, digits, ".", "_", "@" or "-"',
  ],
  [
    `{"callers": {"a b\\n${"c".repeat(100)}": {}}}`,
    `the name "a b\\n${"c".repeat(60)}..." must be 1 to 64 letters, digits, ".", "_", "@" or "-"`,
  ],
  ['{"callers": {"ci": []}}', 'the caller "ci": it must be an object'],
  [
    '{"callers": {"ci": {"tools": ["*"]}}}',
    'the caller "ci": it has neither "tokenSha256" nor "subject"; --new-token creates a token',
  ],
  [
    ci(', "tolls": []'),
    'the caller "ci": it has an unknown key "tolls"; the keys are tokenSha256, subject, tools, ' +
    "hosts, databases, paths, ask, askBy, secrets, maxCalls, maxJobs, maxTimeoutMs, readOnly, admin, runAs",
  ],
  [
    '{"callers": {"ci": {"tokenSha256": "abc"}}}',
    'the caller "ci": "tokenSha256" must be a SHA-256 of 64 hexadecimal digits, or two of them in a list',
  ],
  [ci(', "subject": ""'), 'the caller "ci": "subject" must be a text of 1 to 1,000 characters'],
  [ci(', "tools": "*"'), 'the caller "ci": "tools" must be a list'],
  [ci(', "tools": ["a b"]'), 'the caller "ci": "tools.0" must be the name or a pattern of tools'],
  [ci(', "ask": "*"'), 'the caller "ci": "ask" must be a list'],
  [ci(', "ask": ["a b"]'), 'the caller "ci": "ask.0" must be the name or a pattern of tools'],
  [ci(', "askBy": "me"'), 'the caller "ci": "askBy" must be "client" or "admin"'],
  [ci(', "hosts": [""]'), 'the caller "ci": "hosts.0" must be the name or a pattern of hosts'],
  [ci(', "databases": {"a": "r"}'), 'the caller "ci": "databases.a" must be "ro" or "rw"'],
  [
    ci(', "databases": ["a"]'),
    'the caller "ci": "databases" must be an object, such as {"main": "ro"}',
  ],
  ...["srv", "/srv/", "/srv/../etc", "//srv", "/./srv", ""].map((path): [string, string] => [
    ci(`, "paths": ["${path}"]`),
    'the caller "ci": "paths.0" must be an absolute path without ".", ".." and empty parts; ' +
    '"**" crosses folders',
  ]),
  [
    ci(', "secrets": ["A-B"]'),
    'the caller "ci": "secrets.0" must be the name or a pattern of secrets',
  ],
  [ci(', "maxCalls": 0'), 'the caller "ci": "maxCalls" must be a whole number, 1 to 65536'],
  [ci(', "maxJobs": "1"'), 'the caller "ci": "maxJobs" must be a whole number, 0 to 100000'],
  [
    ci(', "maxTimeoutMs": 1.5'),
    'the caller "ci": "maxTimeoutMs" must be a whole number, 1 to 604800000',
  ],
  [ci(', "admin": 1'), 'the caller "ci": "admin" must be true or false'],
  [ci(', "runAs": "a;b"'), 'the caller "ci": "runAs" must be the name of a user'],
  [
    `{"callers": {"a": {"tokenSha256": "${TWO}"}, "b": {"tokenSha256": "${TWO.toUpperCase()}"}}}`,
    'the callers "a" and "b" have the same "tokenSha256"',
  ],
  [
    '{"callers": {"a": {"subject": "s"}, "b": {"subject": "s"}}}',
    'the callers "a" and "b" have the same "subject"',
  ],
];

for (const [text, reason] of REFUSED) {
  Deno.test(`parseCallers() rejects ${text.slice(0, 100)}`, () => {
    throws(() => parseCallers(text), { name: "AccessFileError", reason });
  });
}

Deno.test("createToken() creates a token and the line of its caller", () => {
  const { token, line } = createToken("ci");
  const [entry, ...others] = parseCallers(`{"callers": {${line}}}`);
  strictEqual(others.length, 0);
  strictEqual(entry?.caller.name, "ci");
  deepStrictEqual(entry.caller.rights?.tools, []);
  strictEqual(token.length, 64);
  strictEqual(line.includes(token), false);
  throws(() => createToken("default"), {
    message: 'Cannot create a token: the name "default" is the server\'s own',
  });
});
