import { deepStrictEqual, match, strictEqual, throws } from "node:assert/strict";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { isAllowedHost, type RouteParts, type Target, toRoute } from "./route.ts";
import { readSshConfig } from "./ssh_config.ts";
import { SshError } from "./ssh_error.ts";

const CONFIG = `
Host web
  HostName web1.example.org
  Port 2200
  User deploy
  IdentityFile ~/.ssh/web
  IdentityFile "%d/other key"
  ConnectTimeout 3
host far
  hostname=10.0.0.9
  proxyjump web,ann@gate:2222
Host deep
  ProxyJump far
Host loop
  ProxyJump loop
Host command
  ProxyCommand nc %h %p
Host alias
  HostKeyAlias Shared
Host odd
  HostName -oProxyCommand=id
Host *.sub
  HostName %h.example.org
Host plain
  ProxyJump none
Match exec "touch /tmp/never"
  User evil
Host *
  User everyone
`;

async function partsOf(config: string, more: Partial<RouteParts> = {}): Promise<RouteParts> {
  await using home = await createTempFolder();
  await Deno.mkdir(`${home.path}/.ssh`);
  await Deno.writeTextFile(`${home.path}/.ssh/config`, config);
  const lookup = await readSshConfig(home.path);
  return {
    lookup: (name, user) => {
      const found = lookup(name, user);
      const files = found.identityFiles.map((file) => file.replace(home.path, "HOME"));
      return { ...found, identityFiles: files };
    },
    defaultUser: "me",
    ...more,
  };
}

function hops(target: Target, parts: RouteParts): string[] {
  const { jumps, target: last } = toRoute(target, parts);
  return [...jumps, last].map(({ user, hostName, port }) => `${user}@${hostName}:${port}`);
}

Deno.test("toRoute() takes host name, port, user, keys and time-out from the config", async () => {
  const parts = await partsOf(CONFIG);
  deepStrictEqual(toRoute({ name: "web" }, parts), {
    jumps: [],
    target: {
      alias: "web",
      hostName: "web1.example.org",
      port: 2200,
      user: "deploy",
      identityFiles: ["HOME/.ssh/web", "HOME/other key"],
      connectTimeoutMs: 3_000,
      hostKeyNames: ["[web1.example.org]:2200", "web1.example.org"],
    },
  });
  deepStrictEqual(hops({ name: "web", port: 22, user: "root" }, parts), [
    "root@web1.example.org:22",
  ]);
  deepStrictEqual(hops({ name: "a.sub" }, parts), ["everyone@a.sub.example.org:22"]);
  deepStrictEqual(hops({ name: "plain" }, parts), ["everyone@plain:22"]);
  deepStrictEqual(toRoute({ name: "alias" }, parts).target.hostKeyNames, ["shared"]);
});

Deno.test("toRoute() without a config goes to the name itself", async () => {
  deepStrictEqual(hops({ name: "web" }, await partsOf("")), ["me@web:22"]);
  strictEqual(toRoute({ name: "web" }, await partsOf("")).target.connectTimeoutMs, 10_000);
});

Deno.test("toRoute() includes each hop of ProxyJump, and those of the first hop", async () => {
  const parts = await partsOf(CONFIG);
  const far = ["deploy@web1.example.org:2200", "ann@gate:2222", "everyone@10.0.0.9:22"];
  deepStrictEqual(hops({ name: "far" }, parts), far);
  deepStrictEqual(hops({ name: "deep" }, parts), [...far, "everyone@deep:22"]);
});

Deno.test("toRoute() rejects invalid configs, and what is not allowed", async () => {
  const parts = await partsOf(CONFIG);
  const allowedHosts = ["web", "far"];
  const cases: [Target, RouteParts, RegExp][] = [
    [{ name: "loop" }, parts, /ProxyJump is circular$/],
    [{ name: "command" }, parts, /ProxyCommand is not supported/],
    [{ name: "odd" }, parts, /"-oproxycommand=id:22" is not a host$/],
    [{ name: "other" }, { ...parts, allowedHosts }, /"other": .+ not among MCP_SSH_ALLOWED_HOSTS$/],
    [{ name: "far" }, { ...parts, allowedHosts }, /"gate": .+ not among MCP_SSH_ALLOWED_HOSTS$/],
  ];
  for (const [target, given, message] of cases) {
    throws(() => toRoute(target, given), (error) => {
      if (!(error instanceof SshError)) return false;
      match(error.message, message);
      return error.phase === "resolve";
    });
  }
  strictEqual(hops({ name: "web" }, { ...parts, allowedHosts }).length, 1);
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
  ];
  for (const [names, port, entries, allowed] of cases) {
    strictEqual(isAllowedHost(names, port, entries), allowed, `${names} ${port} ${entries}`);
  }
});
