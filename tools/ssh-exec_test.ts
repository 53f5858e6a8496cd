import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { OutputEvent } from "../mcp_server/domain/command.ts";
import { refusalOf, registerTool } from "../mcp_server/testing/call_tool.ts";
import { createSshTool, type SshTool } from "../mcp_server/testing/ssh_tool.ts";
import { createUser, freePort, requiresSshd, startSshd } from "../mcp_server/testing/sshd.ts";
import { requires, type ServiceName } from "../test_support/services.ts";
import register from "./ssh-exec.ts";

const done = (stdout: string, exitCode = 0, stderr = "") => ({
  stdout,
  stderr,
  exitCode,
  timedOut: false,
});

function toolFor(home: string, env: Record<string, string> = {}): Promise<SshTool> {
  return createSshTool(register, { HOME: home, USER: "root", ...env });
}

Deno.test("ssh-exec is described in at most 1,450 bytes", async () => {
  const { definition } = await registerTool(register, "ssh-exec");
  ok(new TextEncoder().encode(JSON.stringify(definition)).length <= 1_450);
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

const SHELLS: readonly [shell: string, service: ServiceName][] = [
  ["/bin/sh", "dash"],
  ["/bin/bash", "sshd"],
  ["/bin/dash", "dash"],
  ["/usr/bin/zsh", "zsh"],
  ["/usr/bin/fish", "fish"],
];

for (const [shell, service] of SHELLS) {
  const { name, ignore } = requires(service, `ssh-exec works with ${shell} as the login shell`);
  Deno.test({
    name,
    ignore: ignore || requiresSshd(name).ignore,
    fn: async () => {
      await using sshd = await startSshd();
      await Deno.mkdir(`${sshd.folder}/user`);
      await Deno.chmod(`${sshd.folder}/user`, 0o777);
      await using user = await createUser(shell, `${sshd.folder}/user`);
      await using tool = await toolFor(sshd.home);
      const commands = ["echo a; exit 4", "echo (", "sleep 600", "echo b"];
      const connections = [{ host: sshd.host, username: user.name, commands }];
      const [{ results = [], error } = {}] = await tool.run({ connections, timeoutMs: 1_500 });
      strictEqual(error, undefined);
      deepStrictEqual(results[0], done("a\n", 4));
      ok((results[1]?.exitCode ?? 0) > 0 && results[1]?.stderr !== "");
      deepStrictEqual(results[2], {
        ...done("", 143),
        timedOut: true,
        signal: "SIGTERM",
        stopped: true,
      });
      deepStrictEqual(results[3], done("b\n"));
    },
  });
}

Deno.test({
  ...requiresSshd("ssh-exec drops what a login shell prints before the command"),
  fn: async () => {
    await using sshd = await startSshd();
    const home = `${sshd.folder}/user`;
    await Deno.mkdir(home);
    await Deno.writeTextFile(`${home}/.bashrc`, "echo Welcome; printf 'no end of line'\n");
    await using user = await createUser("/bin/bash", home);
    await using tool = await toolFor(sshd.home);
    const connections = [{ host: sshd.host, username: user.name, commands: ["echo a"] }];
    const [{ results = [] } = {}] = await tool.run({ connections });
    deepStrictEqual(results, [done("a\n")]);
  },
});

Deno.test({
  ...requiresSshd("ssh-exec reports a login shell that runs nothing"),
  fn: async () => {
    await using sshd = await startSshd();
    await using tool = await toolFor(sshd.home);
    for (
      const [shell, said] of [["/usr/sbin/nologin", /not available/], [
        "/bin/false",
        /nothing/,
      ]] as const
    ) {
      await using user = await createUser(shell, "/");
      const connections = [{ host: sshd.host, username: user.name, commands: ["id", "id"] }];
      const [{ results = [], error } = {}] = await tool.run({ connections });
      strictEqual(error?.phase, "exec");
      match(error?.message ?? "", /^Cannot run commands on ".+": the login shell ended with 1 /);
      match(error?.message ?? "", said);
      deepStrictEqual(results, [done("", 255, error?.message), done("", 255, error?.message)]);
    }
  },
});

Deno.test({
  ...requiresSshd(
    "ssh-exec returns full results of 15 hosts next to 3 that refuse and 2 that hang",
  ),
  fn: async () => {
    await using sshd = await startSshd();
    await Deno.writeTextFile(`${sshd.home}/.ssh/config`, "ConnectTimeout 3\n");
    // a user without startup files: those of root may write to stderr when many log in at once
    await Deno.mkdir(`${sshd.folder}/user`);
    await using user = await createUser("/bin/bash", `${sshd.folder}/user`);
    await using tool = await toolFor(sshd.home);
    using silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const refusing = freePort();
    const hosts = [
      ...Array.from({ length: 2 }, () => `127.0.0.1:${silent.addr.port}`),
      ...Array.from({ length: 3 }, () => `127.0.0.1:${refusing}`),
      ...Array.from({ length: 15 }, (_, at) => `127.0.0.${at + 1}:${sshd.port}`),
    ];
    const startedAt = performance.now();
    const commands = ["sleep 1; echo one", "echo two"];
    const results = await tool.run({
      connections: hosts.map((host) => ({ host, username: user.name, commands })),
    });
    const took = performance.now() - startedAt;
    deepStrictEqual(results.map(({ host }) => host), hosts);
    deepStrictEqual(results.map(({ error }) => error?.phase), [
      ...["handshake", "handshake", "connect", "connect", "connect"],
      ...Array.from({ length: 15 }, () => undefined),
    ]);
    for (const { results: each } of results.slice(5)) {
      deepStrictEqual(each, [done("one\n"), done("two\n")]);
    }
    for (const { results: each, error } of results.slice(0, 5)) {
      deepStrictEqual(each, [done("", 255, error?.message), done("", 255, error?.message)]);
    }
    ok(took < 3_000 + 3_000, `took ${took} ms`);
  },
});

Deno.test({
  ...requiresSshd(
    "ssh-exec uses one connection for 100 calls, and closes it when the server stops",
  ),
  fn: async () => {
    await using sshd = await startSshd();
    const tool = await toolFor(sshd.home);
    const connections = [{ host: sshd.host, username: "root", commands: ["exec true"] }];
    for (let call = 0; call < 100; call++) {
      const [{ results = [] } = {}] = await tool.run({ connections });
      strictEqual(results[0]?.exitCode, 0);
    }
    strictEqual((await sshd.connections()).length, 1);
    await tool[Symbol.asyncDispose]();
    for (let left = 50; left > 0 && (await sshd.connections()).length > 0; left--) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    deepStrictEqual(await sshd.connections(), []);
  },
});

Deno.test({
  ...requiresSshd("ssh-exec notices an end that arrives in the same packet as the start"),
  fn: async () => {
    await using sshd = await startSshd();
    using line = startSlowLine(sshd.port);
    await sshd.writeKnownHosts(`127.0.0.1 ${await sshd.hostKey("ed25519")}\n`);
    await using user = await createUser("/bin/sh", sshd.folder);
    await using tool = await toolFor(sshd.home);
    const commands = ["exit 7", "exit 8", "exit 9"];
    const host = `127.0.0.1:${line.port}`;
    const [{ results = [] } = {}] = await tool.run({
      connections: [{ host, username: user.name, commands }],
    });
    deepStrictEqual(results, [done("", 7), done("", 8), done("", 9)]);
  },
});

/** A proxy to a server that delivers all responses within 100 ms in one piece. */
function startSlowLine(port: number): Disposable & { port: number } {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const serve = async (client: Deno.Conn) => {
    const server = await Deno.connect({ hostname: "127.0.0.1", port });
    client.readable.pipeTo(server.writable).catch(() => {});
    const writer = client.writable.getWriter();
    let waiting: Uint8Array<ArrayBuffer>[] = [];
    for await (const chunk of server.readable) {
      if (waiting.push(chunk) > 1) continue;
      setTimeout(async () => {
        const pieces = new Blob(waiting);
        waiting = [];
        await writer.write(await pieces.bytes()).catch(() => {});
      }, 100);
    }
  };
  const accept = async () => {
    for await (const client of listener) serve(client).catch(() => {});
  };
  accept();
  return { port: listener.addr.port, [Symbol.dispose]: () => listener.close() };
}

Deno.test({
  ...requiresSshd("ssh-exec reconnects if a kept connection was lost"),
  fn: async () => {
    await using sshd = await startSshd();
    await using tool = await toolFor(sshd.home);
    const connections = [{ host: sshd.host, username: "root", commands: ["echo a"] }];
    await tool.run({ connections });
    await sshd.kill();
    await sshd.restart();
    const [{ results = [], error } = {}] = await tool.run({ connections });
    deepStrictEqual([results, error], [[done("a\n")], undefined]);
  },
});

Deno.test({
  ...requiresSshd("ssh-exec reconnects if a kept connection is lost before it answers"),
  fn: async () => {
    await using sshd = await startSshd();
    await using tool = await toolFor(sshd.home);
    const connections = [{ host: sshd.host, username: "root", commands: ["echo a"] }];
    await tool.run({ connections });
    const [silent = 0] = await sshd.connections();
    Deno.kill(silent, "SIGSTOP");
    const call = tool.run({ connections });
    await new Promise((resolve) => setTimeout(resolve, 500));
    Deno.kill(silent, "SIGKILL");
    const [{ results = [], error } = {}] = await call;
    deepStrictEqual([results, error], [[done("a\n")], undefined]);
  },
});

Deno.test({
  ...requiresSshd("ssh-exec reports that sshd was killed while a command ran"),
  fn: async () => {
    await using sshd = await startSshd();
    await using tool = await toolFor(sshd.home);
    const commands = ["echo before; sleep 600", "echo never"];
    const onOutput = () => void sshd.kill();
    const connections = [{ host: sshd.host, username: "root", commands }];
    const [{ results = [], error } = {}] = await tool.run({ connections }, { onOutput });
    strictEqual(error?.phase, "exec");
    match(error?.message ?? "", /the connection was lost while a command ran/);
    deepStrictEqual(results, [
      { ...done("before\n", 255, error?.message), stopped: "unknown" },
      done("", 255, error?.message),
    ]);
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
