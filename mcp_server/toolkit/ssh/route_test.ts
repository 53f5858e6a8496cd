import { deepStrictEqual, match, strictEqual, throws } from "node:assert/strict";
import { NotAllowedError } from "../../domain/error.ts";
import { boundedCaller } from "../../testing/bounded_caller.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { type RouteParts, type Target, toRoute } from "./route.ts";
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

Deno.test("toRoute() lets a caller reach only routes whose every hop is among its hosts", async () => {
  const parts = await partsOf(CONFIG);
  const cases: [hosts: string[], target: Target, refused: RegExp | undefined][] = [
    [["web"], { name: "web" }, undefined],
    [["*.example.org"], { name: "web" }, undefined],
    [["web1.example.org:2200"], { name: "web" }, undefined],
    [["web1.example.org:22"], { name: "web" }, /port 2200 of "web".+"ci" \(web1.example.org:22\)$/],
    [["web:2200"], { name: "web", port: 22 }, /port 22 of "web"/],
    [["web", "gate", "far"], { name: "far" }, undefined],
    [["web", "far"], { name: "far" }, /port 2222 of "gate"/],
    [["gate", "far"], { name: "far" }, /port 2200 of "web"/],
    [["web", "gate"], { name: "far" }, /port 22 of "far"/],
    [["web", "gate", "10.0.0.*", "deep"], { name: "deep" }, undefined],
    [["web", "gate", "deep"], { name: "deep" }, /port 22 of "far"/],
    [["loop"], { name: "other" }, /port 22 of "other"/],
    [["other"], { name: "loop" }, /port 22 of "loop"/],
    [[], { name: "web" }, /hosts of the caller "ci" \(none\)$/],
    [["web"], { name: "web.evil.org" }, /"web.evil.org"/],
    [["web1.example.org"], { name: "web1.example.org." }, /"web1.example.org."/],
  ];
  for (const [hosts, target, refused] of cases) {
    const name = `${hosts.join()} ${JSON.stringify(target)}`;
    const given = { ...parts, caller: boundedCaller({ hosts }) };
    if (refused === undefined) toRoute(target, given);
    else throws(() => toRoute(target, given), (error) => isRefusal(error, refused), name);
  }
});

Deno.test("toRoute() runs a ProxyCommand only for callers whose hosts are *", async () => {
  const parts = await partsOf(CONFIG);
  const target = { name: "command" };
  const refused = (hosts: readonly string[]) => {
    try {
      toRoute(target, { ...parts, caller: boundedCaller({ hosts }) });
    } catch (error) {
      return isRefusal(error, /"command": its ProxyCommand takes "\*"/);
    }
    return false;
  };
  deepStrictEqual([["command"], ["c*", "?*"], ["**"]].map(refused), [true, true, true]);
  deepStrictEqual([["*"], ["web", "*"]].map(refused), [false, false]);
});

Deno.test("toRoute() takes what both the operator's hosts and the caller's hosts allow", async () => {
  const parts = { ...await partsOf(CONFIG), allowedHosts: ["web"] };
  throws(
    () => toRoute({ name: "other" }, { ...parts, caller: boundedCaller({ hosts: ["*"] }) }),
    (error) => error instanceof SshError && /MCP_SSH_ALLOWED_HOSTS/.test(error.message),
  );
  throws(
    () => toRoute({ name: "web" }, { ...parts, caller: boundedCaller({ hosts: ["other"] }) }),
    NotAllowedError,
  );
});

function isRefusal(error: unknown, message: RegExp): boolean {
  return error instanceof NotAllowedError && error.code === "NOT_ALLOWED" &&
    message.test(error.message);
}
