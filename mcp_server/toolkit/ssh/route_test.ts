import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { userInfo } from "node:os";
import { NotAllowedError } from "../../shared/error.ts";
import { createTestRunner } from "../../testing/test_runner.ts";
import { boundedCaller } from "../../testing/bounded_caller.ts";
import { requires } from "../../../test_support/services.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { SshConfig } from "./ssh_config.ts";
import { type RouteParts, type Target, toRoute } from "./route.ts";
import { SshError } from "./ssh2.ts";

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
  ProxyJump round
Host round
  ProxyJump loop
Host command
  ProxyCommand nc %h %p
Host passing
  ProxyCommand nc %h %p
  ProxyUseFdpass yes
Host alias
  HostKeyAlias Shared
Host odd
  HostName -oProxyCommand=id
Host *.sub
  HostName %h.example.org
Host plain
  ProxyJump none
Host *
  User everyone
`;

const inOpenSsh = (name: string) => requires("sshd", name);

/** The account that OpenSSH takes if nothing names one. */
const ME = userInfo().username;

interface TestParts extends RouteParts, AsyncDisposable {}

async function partsOf(text: string): Promise<TestParts> {
  await using stack = new AsyncDisposableStack();
  const { path: home } = stack.use(await createTempFolder());
  const commands = stack.use(stack.use(createTestRunner()).pool.forCall());
  await Deno.mkdir(`${home}/.ssh`);
  await Deno.writeTextFile(`${home}/.ssh/config`, text);
  const config = new SshConfig({ home, defaultUser: "me", env: () => undefined });
  const { signal } = new AbortController();
  const lookup = config.forCall({ commands, signal });
  const owned = stack.move();
  return {
    lookup: async (target) => {
      const found = await lookup(target);
      const { identityFiles, ...settings } = found.settings;
      if (identityFiles === undefined) return found;
      const files = identityFiles.map((file) => file.replace(home, "HOME"));
      return { ...found, settings: { ...settings, identityFiles: files } };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function hops(target: Target, parts: RouteParts): Promise<string[]> {
  const { jumps, target: last } = await toRoute(target, parts);
  return [...jumps, last].map(({ user, hostName, port }) => `${user}@${hostName}:${port}`);
}

Deno.test(
  inOpenSsh("toRoute() takes host name, port, user, keys and time-out from the config"),
  async () => {
    await using parts = await partsOf(CONFIG);
    deepStrictEqual(await toRoute({ name: "web" }, parts), {
      jumps: [],
      target: {
        alias: "web",
        hostName: "web1.example.org",
        port: 2200,
        user: "deploy",
        connectTimeoutMs: 3_000,
        hostKeyNames: ["[web1.example.org]:2200", "web1.example.org"],
        settings: { identityFiles: ["HOME/.ssh/web", "HOME/other key"] },
      },
    });
    deepStrictEqual(await hops({ name: "web", port: 22, user: "root" }, parts), [
      "root@web1.example.org:22",
    ]);
    deepStrictEqual(await hops({ name: "a.sub" }, parts), ["everyone@a.sub.example.org:22"]);
    deepStrictEqual(await hops({ name: "plain" }, parts), ["everyone@plain:22"]);
    deepStrictEqual((await toRoute({ name: "alias" }, parts)).target.hostKeyNames, ["shared"]);
  },
);

Deno.test(inOpenSsh("toRoute() without a config goes to the name itself"), async () => {
  await using parts = await partsOf("");
  deepStrictEqual(await hops({ name: "web" }, parts), [`${ME}@web:22`]);
  const { target } = await toRoute({ name: "web" }, parts);
  strictEqual(target.connectTimeoutMs, 10_000);
});

Deno.test(
  inOpenSsh("toRoute() includes each hop of ProxyJump, and those of the first hop"),
  async () => {
    await using parts = await partsOf(CONFIG);
    const far = ["deploy@web1.example.org:2200", "ann@gate:2222", "everyone@10.0.0.9:22"];
    deepStrictEqual(await hops({ name: "far" }, parts), far);
    deepStrictEqual(await hops({ name: "deep" }, parts), [...far, "everyone@deep:22"]);
  },
);

Deno.test(
  inOpenSsh("toRoute() includes the program that connects to the first hop, if it has any"),
  async () => {
    await using parts = await partsOf(`
Host gate
  HostName %h.example.org
  ProxyCommand connect %h %p %r%% %n
Host inner
  ProxyJump gate,other
Host other
  ProxyCommand never
Host both
  ProxyJump plain
  ProxyCommand never
Host none
  ProxyCommand none
`);
    const commandOf = async (name: string) => (await toRoute({ name }, parts)).proxyCommand;
    strictEqual(await commandOf("gate"), `connect gate.example.org 22 ${ME}% gate`);
    strictEqual(await commandOf("inner"), `connect gate.example.org 22 ${ME}% gate`);
    strictEqual(await commandOf("both"), undefined);
    strictEqual(await commandOf("none"), undefined);
  },
);

Deno.test(inOpenSsh("toRoute() rejects invalid configs, and what is not allowed"), async () => {
  await using parts = await partsOf(CONFIG);
  const allowedHosts = ["web", "far"];
  const cases: [Target, RouteParts, RegExp][] = [
    [{ name: "loop" }, parts, /ProxyJump is circular$/],
    [{ name: "passing" }, parts, /ProxyUseFdpass is not supported$/],
    [{ name: "command", user: "a$" }, parts, /ProxyCommand can't be used as "a\$"$/],
    [{ name: "odd" }, parts, /"-oproxycommand=id:22" is not a host$/],
    [{ name: "other" }, { ...parts, allowedHosts }, /"other": .+ not among MCP_SSH_ALLOWED_HOSTS$/],
    [{ name: "far" }, { ...parts, allowedHosts }, /"gate": .+ not among MCP_SSH_ALLOWED_HOSTS$/],
  ];
  for (const [target, given, message] of cases) {
    await rejects(toRoute(target, given), (error) => {
      if (!(error instanceof SshError)) return false;
      match(error.message, message);
      return error.phase === "resolve";
    });
  }
  strictEqual((await hops({ name: "web" }, { ...parts, allowedHosts })).length, 1);
});

Deno.test("toRoute() asks the config only about users that no shell would interpret", async () => {
  const asked: string[] = [];
  const lookup: RouteParts["lookup"] = ({ name, user }) => {
    asked.push(`${user}@${name}`);
    return Promise.reject(new SshError("Cannot look it up", "resolve"));
  };
  for (const user of ["$(id)", "a;b", "-l", "a b", ""]) {
    await rejects(toRoute({ name: "web", user }, { lookup }), /is not a user name$/);
  }
  await rejects(toRoute({ name: "web", user: "ann" }, { lookup }), /Cannot look it up/);
  deepStrictEqual(asked, ["ann@web"]);
});

Deno.test(
  inOpenSsh("toRoute() lets a caller reach only routes whose every hop is among its hosts"),
  async () => {
    await using parts = await partsOf(CONFIG);
    const cases: [hosts: string[], target: Target, refused: RegExp | undefined][] = [
      [["web"], { name: "web" }, undefined],
      [["*.example.org"], { name: "web" }, undefined],
      [["web1.example.org:2200"], { name: "web" }, undefined],
      [
        ["web1.example.org:22"],
        { name: "web" },
        /port 2200 of "web".+"ci" \(web1.example.org:22\)$/,
      ],
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
      if (refused === undefined) await toRoute(target, given);
      else await rejects(toRoute(target, given), (error) => isRefusal(error, refused), name);
    }
  },
);

Deno.test(
  inOpenSsh("toRoute() runs a ProxyCommand only for callers whose hosts are *"),
  async () => {
    await using parts = await partsOf(CONFIG);
    const target = { name: "command" };
    const refused = async (hosts: readonly string[]) => {
      try {
        await toRoute(target, { ...parts, caller: boundedCaller({ hosts }) });
      } catch (error) {
        return isRefusal(error, /"command": its ProxyCommand takes "\*"/);
      }
      return false;
    };
    for (const hosts of [["command"], ["c*", "?*"], ["**"]]) {
      strictEqual(
        await refused(hosts),
        true,
      );
    }
    for (const hosts of [["*"], ["web", "*"]]) strictEqual(await refused(hosts), false);
  },
);

Deno.test(
  inOpenSsh("toRoute() takes what both the operator's hosts and the caller's hosts allow"),
  async () => {
    await using given = await partsOf(CONFIG);
    const parts = { ...given, allowedHosts: ["web"] };
    await rejects(
      toRoute({ name: "other" }, { ...parts, caller: boundedCaller({ hosts: ["*"] }) }),
      (error) => error instanceof SshError && /MCP_SSH_ALLOWED_HOSTS/.test(error.message),
    );
    await rejects(
      toRoute({ name: "web" }, { ...parts, caller: boundedCaller({ hosts: ["other"] }) }),
      NotAllowedError,
    );
  },
);

function isRefusal(error: unknown, message: RegExp): boolean {
  return error instanceof NotAllowedError && error.code === "NOT_ALLOWED" &&
    message.test(error.message);
}
