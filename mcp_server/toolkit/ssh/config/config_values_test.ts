import { deepStrictEqual } from "node:assert/strict";
import SshConfig from "ssh-config";
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

for (const [name, user, values] of CASES) {
  Deno.test(`computeConfig() finds what the config says of ${name}`, () => {
    const found = computeConfig(SshConfig.parse(CONFIG), name, user);
    deepStrictEqual(
      Object.fromEntries([...found].sort()),
      Object.fromEntries(Object.entries(values).sort()),
    );
  });
}
