import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { OutputEvent } from "../mcp_server/tool/command.ts";
import { refusalOf, registerTool } from "../mcp_server/testing/call_tool.ts";
import { createSshTool, done, type SshTool } from "../mcp_server/testing/ssh_tool.ts";
import { freePort, requiresSshd, startSshd } from "../mcp_server/testing/sshd.ts";
import register from "./ssh-exec.ts";

function toolFor(home: string, env: Record<string, string> = {}): Promise<SshTool> {
  return createSshTool(register, { HOME: home, USER: "root", ...env });
}

Deno.test("ssh-exec is described in at most 1,800 bytes", async () => {
  const { definition } = await registerTool(register, "ssh-exec");
  ok(new TextEncoder().encode(JSON.stringify({ ...definition, icons: undefined })).length <= 1_800);
});

Deno.test("ssh-exec rejects hosts, users and commands with invalid syntax, and connects to nothing", async () => {
  await using tool = await toolFor("/nonexistent");
  const good = { host: "h", username: "u", commands: ["true"] };
  const bad: object[] = [
    { ...good, host: "-oProxyCommand=id" },
    { ...good, host: "root@h" },
    { ...good, host: "a b" },
    { ...good, host: "$(id)" },
    { ...good, host: "h:0" },
    { ...good, username: "-l" },
    { ...good, username: "a;b" },
    { ...good, commands: [] },
    { ...good, commands: [""] },
    { ...good, commands: ["a\0b"] },
    { ...good, password: "x" },
  ];
  for (const connection of bad) {
    const { code } = refusalOf(await tool.call({ connections: [connection] }));
    strictEqual(code, "INVALID_ARGUMENTS", JSON.stringify(connection));
  }
  strictEqual(refusalOf(await tool.call({ connections: [] })).code, "INVALID_ARGUMENTS");
});

Deno.test({
  ...requiresSshd("ssh-exec runs a host's commands in order and reports how each ended"),
  fn: async () => {
    await using sshd = await startSshd();
    await using tool = await toolFor(sshd.home);
    const commands = [
      "echo out; echo err >&2; exit 3",
      "echo \"it's\" 'a\\b'\necho two",
      "kill -9 $$",
      "echo last",
    ];
    const host = sshd.host;
    deepStrictEqual(await tool.run({ connections: [{ host, username: "root", commands }] }), [{
      host,
      username: "root",
      results: [
        done("out\n", 3, "err\n"),
        done("it's a\\b\ntwo\n"),
        { ...done("", 137), signal: "SIGKILL" },
        done("last\n"),
      ],
    }]);
  },
});

Deno.test({
  ...requiresSshd("ssh-exec keeps both ends of a long output, and reports output as it arrives"),
  fn: async () => {
    await using sshd = await startSshd();
    await using tool = await toolFor(sshd.home);
    const events: OutputEvent[] = [];
    const commands = ["echo one; echo two >&2", "seq 400000"];
    const connections = [{ host: sshd.host, username: "root", commands }];
    const onOutput = ({ bytes: _, ...event }: OutputEvent) => events.push(event);
    const [{ results = [] } = {}] = await tool.run({ connections, maxOutputBytes: 4_096 }, {
      onOutput,
    });
    const long = results[1];
    strictEqual(long?.truncated, true);
    match(long?.stdout ?? "", /^1\n2\n/);
    match(long?.stdout ?? "", /\n399999\n400000\n$/);
    ok((long?.stdout.length ?? 0) < 4_096 + 200);
    const first = events.filter(({ command }) => command === 0);
    deepStrictEqual(
      first.toSorted((a, b) => a.stream < b.stream ? 1 : -1),
      [
        { stream: "stdout", text: "one\n", host: sshd.host, command: 0 },
        { stream: "stderr", text: "two\n", host: sshd.host, command: 0 },
      ].toSorted((a, b) => a.stream < b.stream ? 1 : -1),
    );
    strictEqual(
      events.filter(({ command }) => command === 1).map(({ text }) => text).join("").length,
      2_688_895,
    );
  },
});

Deno.test({
  ...requiresSshd("ssh-exec divides the largest answer among the hosts that run at once"),
  fn: async () => {
    await using sshd = await startSshd();
    const env = { HOME: sshd.home, USER: "root" };
    await using tool = await createSshTool(register, env, { maxResultBytes: 80_000 });
    const connections = [1, 2, 3, 4].map((at) => ({
      host: `127.0.0.${at}:${sshd.port}`,
      commands: ["head -c 30000 /dev/zero | tr '\\0' a"],
    }));
    const results = await tool.run({ connections, maxOutputBytes: 1_000_000 });
    for (const { stdout, truncated } of results.flatMap((host) => host.results)) {
      strictEqual(truncated, true);
      ok(stdout.length < 20_100, `${stdout.length} characters`);
    }
  },
});

Deno.test({
  ...requiresSshd(
    "ssh-exec returns floods of NUL within the limit of a call, each with its share",
  ),
  fn: async () => {
    await using sshd = await startSshd();
    const maxResultBytes = 1_000_000;
    const env = { HOME: sshd.home, USER: "root" };
    await using tool = await createSshTool(register, env, { maxResultBytes });
    const flood = "printf begin; head -c 300000 /dev/zero; printf end";
    const connections = Array(2).fill({
      host: sshd.host,
      username: "root",
      commands: Array(10).fill(flood),
    });
    const results = await tool.run({ connections, maxOutputBytes: 16_777_216 });
    ok(JSON.stringify({ results }).length <= maxResultBytes);
    for (const { stdout, truncated } of results.flatMap((host) => host.results)) {
      strictEqual(truncated, true);
      match(stdout, /^begin\0+\n\[\.\.\. \d+ bytes left out \.\.\.\]\n\0+end$/);
    }
  },
});

Deno.test({
  ...requiresSshd("ssh-exec connects only to MCP_SSH_ALLOWED_HOSTS"),
  fn: async () => {
    await using sshd = await startSshd();
    await using tool = await toolFor(sshd.home, {
      MCP_SSH_ALLOWED_HOSTS: "127.0.0.2, 127.0.0.3:1",
    });
    const hosts = ["127.0.0.2", "127.0.0.3", "127.0.0.1"];
    const results = await tool.run({
      connections: hosts.map((name) => ({
        host: `${name}:${sshd.port}`,
        username: "root",
        commands: ["echo a"],
      })),
    });
    deepStrictEqual(results.map(({ error }) => error?.phase), [undefined, "resolve", "resolve"]);
    match(
      results[2]?.error?.message ?? "",
      /^Cannot connect to "127.0.0.1": .+MCP_SSH_ALLOWED_HOSTS$/,
    );
  },
});

Deno.test({
  ...requiresSshd("ssh-exec connects through the hosts of ProxyJump"),
  fn: async () => {
    await using sshd = await startSshd();
    await Deno.writeTextFile(
      `${sshd.home}/.ssh/config`,
      `Host gate
  HostName 127.0.0.2
Host second
  HostName 127.0.0.3
Host one
  HostName 127.0.0.4
  ProxyJump gate
Host two
  HostName 127.0.0.5
  ProxyJump gate,root@second:${sshd.port}
Host broken
  HostName 127.0.0.6
  Port ${freePort()}
  ProxyJump gate
Host *
  User root
  Port ${sshd.port}
`,
    );
    await using tool = await toolFor(sshd.home);
    const commands = ["echo $SSH_CONNECTION | cut -d' ' -f3"];
    const hosts = ["one", "two", "broken", "no-such-host.invalid"];
    const results = await tool.run({ connections: hosts.map((host) => ({ host, commands })) });
    deepStrictEqual(results.map(({ username }) => username), ["root", "root", "root", "root"]);
    deepStrictEqual(results.slice(0, 2).map(({ results: [first] }) => first?.stdout), [
      "127.0.0.4\n",
      "127.0.0.5\n",
    ]);
    deepStrictEqual(results.slice(2).map(({ error }) => error?.phase), ["connect", "resolve"]);
    match(results[2]?.error?.message ?? "", /^Cannot connect to "broken" through its ProxyJump: /);
  },
});
