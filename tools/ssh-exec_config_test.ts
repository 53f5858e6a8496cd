import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { boundedCaller } from "../mcp_server/testing/bounded_caller.ts";
import { refusalOf } from "../mcp_server/testing/call_tool.ts";
import { createSshTool, type SshTool } from "../mcp_server/testing/ssh_tool.ts";
import { makeKey, requiresSshd, type Sshd, startSshd } from "../mcp_server/testing/sshd.ts";
import { findByMark, PATH } from "../mcp_server/testing/test_runner.ts";
import register from "./ssh-exec.ts";

/** A program for `ProxyCommand` that every machine with bash has. */
const CONNECT = `bash -c 'exec 3<>/dev/tcp/127.0.0.1/%p; cat <&3 & cat >&3; kill $!'`;

function toolFor({ home }: Sshd, env: Record<string, string> = {}): Promise<SshTool> {
  return createSshTool(register, { HOME: home, ...env });
}

/** Runs a command on a host, and returns what it printed, or the error. */
async function runOn(tool: SshTool, host: string, command = "echo $USER"): Promise<string> {
  const [{ results: [result], error } = { results: [] }] = await tool.run({
    connections: [{ host, commands: [command] }],
  });
  return error === undefined ? result?.stdout.trim() ?? "" : `${error.phase}: ${error.message}`;
}

function writeConfig({ home }: Sshd, text: string): Promise<void> {
  return Deno.writeTextFile(`${home}/.ssh/config`, text);
}

Deno.test({
  ...requiresSshd("ssh-exec reads the config as OpenSSH does: Include, Match exec, tokens, jumps"),
  fn: async () => {
    await using sshd = await startSshd();
    const { home, port } = sshd;
    await Deno.rename(`${home}/.ssh/id_ed25519`, `${home}/.ssh/key_127.0.0.2_root`);
    await Deno.writeTextFile(
      `${home}/.ssh/included`,
      `
Match exec "test %n = Web"
  HostName 127.0.0.2
Host Web gate? inner
  Port ${port}
  User root
  IdentityFile ~/.ssh/key_127.0.0.2_%r
  IdentityFile \${KEYS}/none
Host gate1
  HostName 127.0.0.3
Host gate2
  HostName 127.0.0.4
Host inner
  HostName 127.0.0.5
  ProxyJump gate1,gate2
`,
    );
    await writeConfig(sshd, `Include ${home}/.ssh/inc*\n`);
    await using tool = await toolFor(sshd, { KEYS: "/nonexistent" });
    const where = "echo ${SSH_CONNECTION%% *} ${SSH_CONNECTION#* * }";
    strictEqual(await runOn(tool, "Web", where), `127.0.0.1 127.0.0.2 ${port}`);
    match(await runOn(tool, "web", where), /^resolve: Cannot resolve "web"/);
    match(await runOn(tool, "inner", where), new RegExp(` 127.0.0.5 ${port}$`));
    await writeConfig(sshd, "Host a\n  Portt 22\n");
    const broken = await runOn(tool, "a");
    match(broken, /^resolve: Cannot read the SSH config for "a": /);
    ok(broken.includes(`${home}/.ssh/config: line 2: Bad configuration option: portt`), broken);
  },
});

Deno.test({
  ...requiresSshd("ssh-exec needs OpenSSH's client only where there is a config to read"),
  fn: async () => {
    await using sshd = await startSshd();
    const { home, port } = sshd;
    await writeConfig(sshd, `Host web\n  HostName 127.0.0.2\n  Port ${port}\n  User root\n`);
    await using tool = await toolFor(sshd, { PATH: "/nonexistent", USER: "root" });
    const needed = `resolve: Cannot read "${home}/.ssh/config": ` +
      'the program "ssh", which is needed to read it, is not found';
    strictEqual(await runOn(tool, "web"), needed);
    strictEqual(await runOn(tool, sshd.host), needed);
    await Deno.remove(`${home}/.ssh/config`);
    strictEqual(await runOn(tool, sshd.host), "root");
  },
});

Deno.test({
  ...requiresSshd("ssh-exec asks OpenSSH's client at most once in 5 s for the calls to a host"),
  fn: async () => {
    await using sshd = await startSshd();
    const bin = `${sshd.folder}/bin`;
    const count = `${sshd.folder}/count`;
    await Deno.mkdir(bin);
    const program = `#!/bin/sh\necho "$*" >>${count}\nexec /usr/bin/ssh "$@"\n`;
    await Deno.writeTextFile(`${bin}/ssh`, program, { mode: 0o755 });
    await writeConfig(sshd, `Host web\n  HostName 127.0.0.2\n  Port ${sshd.port}\n`);
    await using tool = await toolFor(sshd, { PATH: `${bin}:${PATH}` });
    const startedAt = performance.now();
    for (let i = 0; i < 8; i++) strictEqual(await runOn(tool, "web"), "root");
    const most = 2 + Math.floor((performance.now() - startedAt) / 5_000);
    const lines = (await Deno.readTextFile(count)).trim().split("\n");
    ok(lines.length <= most, `${lines.length} questions, at most ${most} expected`);
    for (const line of lines) match(line, / -- (web|localhost)$/, "the name can't be an option");
  },
});

Deno.test({
  ...requiresSshd("ssh-exec connects through ProxyCommand, and leaves no process of it"),
  fn: async () => {
    await using sshd = await startSshd();
    const mark = crypto.randomUUID();
    const proxied = (name: string, command: string) =>
      `Host ${name}\n  HostName 127.0.0.2\n  Port ${sshd.port}\n  User root\n  ProxyCommand ${command}\n`;
    const jump = `ssh -F none -i ${sshd.home}/.ssh/id_ed25519 -p %p -W %h:%p ` +
      `-o UserKnownHostsFile=${sshd.home}/.ssh/known_hosts 127.0.0.3`;
    await writeConfig(
      sshd,
      [
        proxied("tcp", `env MARK=${mark} ${CONNECT}`),
        proxied("ssh", `env MARK=${mark} ${jump}`),
        proxied("fails", `sh -c 'echo "no way to %h as %r" >&2; exit 7'`),
        proxied("missing", "/nonexistent/program"),
        proxied("silent", `env MARK=${mark} sh -c 'echo waiting >&2; sleep 300'`),
        "Host silent\n  ConnectTimeout 3",
        `Host behind\n  HostName 127.0.0.4\n  Port ${sshd.port}\n  ProxyJump tcp`,
      ].join("\n"),
    );
    await using tool = await toolFor(sshd);
    strictEqual(await runOn(tool, "tcp"), "root");
    strictEqual(
      await runOn(tool, "ssh", "head -c 3000000 /dev/zero | tr '\\0' a | wc -c"),
      "3000000",
    );
    strictEqual(await runOn(tool, "behind"), "root");
    const long = await tool.run({
      connections: [{ host: "tcp", commands: ["head -c 3000000 /dev/zero | tr '\\0' a"] }],
      maxOutputBytes: 4_000_000,
    });
    strictEqual(long[0]?.results[0]?.stdout.length, 3_000_000);
    strictEqual(
      await runOn(tool, "fails"),
      'connect: Cannot connect to "fails" through its ProxyCommand: it ended with 7; ' +
        "it printed: no way to 127.0.0.2 as root",
    );
    match(
      await runOn(tool, "missing"),
      /^connect: .+ "missing" through its ProxyCommand: it ended with 12[67]; .+\/nonexistent\/program/,
    );
    match(
      await runOn(tool, "silent"),
      /it is silent, after 3 s; its ProxyCommand printed: waiting$/,
    );
    deepStrictEqual(findByMark(mark), []);
  },
});

Deno.test({
  ...requiresSshd("ssh-exec stops a proxy, what it started, and the remote command with the call"),
  fn: async () => {
    await using sshd = await startSshd();
    const mark = crypto.randomUUID();
    const run = `env MARK=${mark} bash -c 'setsid sleep 300 >/dev/null 2>&1 & ${CONNECT.slice(9)}`;
    await writeConfig(
      sshd,
      `Host p\n  HostName 127.0.0.2\n  Port ${sshd.port}\n  ProxyCommand ${run}\n`,
    );
    await using tool = await toolFor(sshd);
    const controller = new AbortController();
    const connections = [{
      host: "p",
      commands: [`echo ready; exec env REMOTE=${mark}-r sleep 300`],
    }];
    const call = await tool.call({ connections }, {
      signal: controller.signal,
      onOutput: ({ text }) => {
        if (text.includes("ready")) controller.abort();
      },
    });
    strictEqual(refusalOf(call).code, "CANCELLED");
    deepStrictEqual(findByMark(mark), []);
  },
});

Deno.test({
  ...requiresSshd("ssh-exec takes hosts with ProxyCommand and jumps only as far as policy allows"),
  fn: async () => {
    await using sshd = await startSshd();
    const ran = `${sshd.folder}/ran`;
    const host = (name: string, at: number, more = "") =>
      `Host ${name}\n  HostName 127.0.0.${at}\n  Port ${sshd.port}\n${more}`;
    await Deno.writeTextFile(
      `${sshd.home}/.ssh/more`,
      [
        host("proxied", 2, `  ProxyCommand bash -c 'touch ${ran}; ${CONNECT.slice(9)}\n`),
        host("behind", 3, "  ProxyJump proxied\n"),
        host("jumped", 4, "  ProxyJump gate\n"),
        host("gate", 5),
      ].join("\n"),
    );
    await writeConfig(sshd, `Include ${sshd.home}/.ssh/more\n`);
    await using tool = await toolFor(sshd);
    const callAs = (hosts: string[], name: string) =>
      tool.call({ connections: [{ host: name, commands: ["true"] }] }, {
        caller: boundedCaller({ hosts }),
      });
    for (const name of ["proxied", "behind"]) {
      const { code, message } = refusalOf(await callAs(["proxied", "behind", "127.*", "?*"], name));
      strictEqual(code, "NOT_ALLOWED");
      match(message, /its ProxyCommand takes "\*"/);
    }
    match(refusalOf(await callAs(["jumped"], "jumped")).message, /of "gate"/);
    strictEqual(await Deno.stat(ran).catch(() => undefined), undefined, "no proxy was started");
    for (const name of ["proxied", "behind", "jumped"]) ok((await callAs(["*"], name)).ok, name);
    ok((await callAs(["jumped", "127.0.0.5"], "jumped")).ok);
    ok((await Deno.stat(ran)).isFile);
    await using bounded = await toolFor(sshd, { MCP_SSH_ALLOWED_HOSTS: "proxied,jumped" });
    strictEqual(await runOn(bounded, "proxied"), "root");
    for (const name of ["behind", "jumped"]) {
      match(await runOn(bounded, name), /is not among MCP_SSH_ALLOWED_HOSTS$/);
    }
  },
});

Deno.test({
  ...requiresSshd("ssh-exec trusts no host more than MCP_SSH_HOST_KEYS, whatever the config says"),
  fn: async () => {
    await using sshd = await startSshd();
    const { home, port } = sshd;
    const own = await sshd.hostKey("ed25519");
    const host = (name: string, more: string) =>
      `Host ${name}\n  HostName 127.0.0.2\n  Port ${port}\n  ${more}\n`;
    await Deno.writeTextFile(`${home}/revoked`, `# a comment\n${own} some comment\n`);
    await Deno.writeTextFile(`${home}/known two`, `alias ${own}\n`);
    await writeConfig(
      sshd,
      [
        host("no", "StrictHostKeyChecking no\n  UserKnownHostsFile ~/new"),
        host("yes", "StrictHostKeyChecking yes\n  UserKnownHostsFile ~/new"),
        host("revoked", "RevokedHostKeys ~/revoked"),
        host("unclear", "RevokedHostKeys ~/missing"),
        host("alias", `HostKeyAlias Alias\n  UserKnownHostsFile ${home}/other "${home}/known two"`),
        host("rsa", "HostKeyAlgorithms rsa-sha2-512"),
      ].join(""),
    );
    await using strict = await toolFor(sshd, { MCP_SSH_HOST_KEYS: "strict" });
    match(await runOn(strict, "no"), /^host-key: .+ is not known/);
    strictEqual(await runOn(strict, "alias"), "root");
    await using open = await toolFor(sshd, { MCP_SSH_HOST_KEYS: "accept-new" });
    match(await runOn(open, "yes"), /^host-key: .+ is not known/);
    match(await runOn(open, "revoked"), /^host-key: .+ is revoked in ".+\/revoked"$/);
    match(
      await runOn(open, "unclear"),
      /^host-key: .+\/missing" can't be read: it does not exist$/,
    );
    match(await runOn(open, "rsa"), /^host-key: .+ key has changed: it shows ssh-rsa /);
    strictEqual(await runOn(open, "no"), "root");
    strictEqual(await Deno.readTextFile(`${home}/new`), `[127.0.0.2]:${port} ${own}\n`);
    strictEqual(await runOn(open, "yes"), "root");
  },
});

Deno.test({
  ...requiresSshd("ssh-exec logs in with the keys and methods that the config allows"),
  fn: async () => {
    await using sshd = await startSshd();
    const { home, port, folder } = sshd;
    await using agent = await startAgent(`${folder}/agent`);
    await makeKey(`${folder}/stranger`, "ed25519");
    await agent.add(`${folder}/stranger`);
    await Deno.rename(`${home}/.ssh/id_ed25519`, `${folder}/known`);
    await agent.add(`${folder}/known`);
    await Deno.copyFile(`${home}/.ssh/id_ed25519.pub`, `${folder}/known.pub`);
    const host = (name: string, more: string) =>
      `Host ${name}\n  HostName 127.0.0.2\n  Port ${port}\n  ${more}\n`;
    await writeConfig(
      sshd,
      [
        host("agent", "IdentityFile none"),
        host("only", `IdentitiesOnly yes\n  IdentityFile ${folder}/known.pub`),
        host("stranger", `IdentitiesOnly yes\n  IdentityFile ${folder}/stranger`),
        host("none", "IdentityAgent none\n  IdentityFile none"),
        host("file", `IdentityAgent none\n  IdentityFile ${folder}/known`),
        host("named", `IdentityAgent ${folder}/agent\n  IdentityFile none`),
        host("password", "PreferredAuthentications password"),
        host("ctr", `Ciphers aes256-ctr\n  MACs hmac-sha2-512\n  KexAlgorithms ecdh-sha2-nistp384`),
        host("odd", "Ciphers chacha20-poly1305@openssh.com\n  MACs umac-64@openssh.com"),
      ].join(""),
    );
    await using tool = await toolFor(sshd, { SSH_AUTH_SOCK: `${folder}/agent` });
    for (const name of ["agent", "only", "file", "named", "ctr"]) {
      strictEqual(await runOn(tool, name), "root", name);
    }
    match(await runOn(tool, "stranger"), /refused; tried the agent's keys, key .+\/stranger$/);
    match(await runOn(tool, "none"), /there is no agent, no key file and no password$/);
    match(await runOn(tool, "odd"), /none of its macs "umac-64@openssh.com" is supported$/);
    match(await runOn(tool, "password"), /there is no agent, no key file and no password$/);
    await using without = await toolFor(sshd);
    strictEqual(await runOn(without, "named"), "root");
  },
});

interface SshAgent extends AsyncDisposable {
  add(key: string): Promise<void>;
}

async function startAgent(socket: string): Promise<SshAgent> {
  const process = new Deno.Command("ssh-agent", {
    args: ["-D", "-a", socket],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  // It prints where it listens.
  const reader = process.stdout.getReader();
  await reader.read();
  const env = { SSH_AUTH_SOCK: socket };
  return {
    add: async (key) => {
      const { success } = await new Deno.Command("ssh-add", { args: ["-q", key], env }).output();
      ok(success, key);
    },
    [Symbol.asyncDispose]: async () => {
      process.kill("SIGTERM");
      await process.status;
      await reader.cancel();
    },
  };
}
