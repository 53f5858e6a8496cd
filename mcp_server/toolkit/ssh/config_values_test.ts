import { deepStrictEqual } from "node:assert/strict";
import { type ConfigLine, parseConfigLines } from "./config_lines.ts";
import { computeConfig } from "./config_values.ts";

const CONFIG = `
IdentityFile first
Host web? !web9
  HostName %h.example.org
  IdentityFile second
  Port 1
Host *.*
  Port 2
Match host *.example.org user ann,bob
  Port 3
Match originalhost plain
  User carol
Match user carol
  ConnectTimeout 4
Match final host plain
  Compression yes
Match exec "true"
  Port 9
Match tagged x
  Port 10
Host *
  Port 5
  IdentityFile third
`;

const CASES: readonly [name: string, user: string | undefined, values: Record<string, string[]>][] =
  [
    ["web1", undefined, {
      identityfile: ["first", "second", "third"],
      hostname: ["%h.example.org"],
      port: ["1"],
    }],
    ["web12", undefined, { identityfile: ["first", "third"], port: ["5"] }],
    ["web9", undefined, { identityfile: ["first", "third"], port: ["5"] }],
    ["a.b", "ann", { identityfile: ["first", "third"], port: ["2"], user: ["ann"] }],
    ["x", undefined, { identityfile: ["first", "third"], port: ["5"] }],
    ["plain", undefined, {
      identityfile: ["first", "third"],
      port: ["5"],
      user: ["carol"],
      connecttimeout: ["4"],
      compression: ["yes"],
    }],
  ];

function linesOf(text: string): readonly ConfigLine[] {
  const parsed = parseConfigLines(text);
  if (!parsed.ok) throw new Error(`Cannot read "${text}": ${parsed.fault}`);
  return parsed.lines;
}

for (const [name, user, values] of CASES) {
  Deno.test(`computeConfig() finds what the config says of ${name}`, () => {
    const found = computeConfig(linesOf(CONFIG), name, user);
    deepStrictEqual(
      Object.fromEntries([...found].sort()),
      Object.fromEntries(Object.entries(values).sort()),
    );
  });
}

/** Configs whose meaning was checked with `ssh -G`, and what they say about `web`. */
const RULES: readonly (readonly [text: string, values: Record<string, string[]>])[] = [
  ["Host WEB\n Port 1\nHost w?b\n Port 2", { port: ["2"] }],
  ["Match host WEB\n Port 1", { port: ["1"] }],
  ["Match !host web\n Port 1\nMatch !host x\n Port 2", { port: ["2"] }],
  ["Match host web host x\n Port 1", {}],
  ["Match !exec true\n Port 1\nMatch tagged x\n Port 2", {}],
  ["HostName %h.org\nMatch host web.org\n Port 1", { hostname: ["%h.org"], port: ["1"] }],
  ["Match final\n HostName other\nHost web\n Port 1", { port: ["1"] }],
  ["ProxyJump a\nProxyCommand b", { proxyjump: ["a"] }],
  ["ProxyCommand b\nProxyJump a", { proxycommand: ["b"] }],
  ["ProxyJump none\nProxyCommand b", { proxyjump: ["none"], proxycommand: ["b"] }],
  ["ProxyJump a,b # why", { proxyjump: ["a,b"] }],
  ['ProxyCommand sh -c "nc %h" # x', { proxycommand: ['sh -c "nc %h" # x'] }],
  ["IdentityFile a\nIdentityFile b\nIdentityFile a", { identityfile: ["a", "b"] }],
  ["HostKeyAlias Web", { hostkeyalias: ["web"] }],
  ["ChallengeResponseAuthentication no", { kbdinteractiveauthentication: ["no"] }],
];

for (const [text, values] of RULES) {
  Deno.test(`computeConfig() reads ${JSON.stringify(text)} as OpenSSH does`, () => {
    const found = computeConfig(linesOf(text), "web", undefined);
    deepStrictEqual(Object.fromEntries(found), values);
  });
}
