import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { processesWith, uniqueSleep } from "../mcp_server/testing/processes.ts";
import { createSshTool, done, type SshTool } from "../mcp_server/testing/ssh_tool.ts";
import { createUser, freePort, requiresSshd, startSshd } from "../mcp_server/testing/sshd.ts";
import type { OutputEvent } from "../mcp_server/tool/command.ts";
import { times } from "../test_support/tier.ts";
import register from "./ssh-exec.ts";

function toolFor(home: string, env: Record<string, string> = {}): Promise<SshTool> {
  return createSshTool(register, { HOME: home, USER: "root", ...env });
}

Deno.test({
  ...requiresSshd(
    "ssh-exec returns full results of 15 hosts next to 3 that refuse and 2 that hang",
  ),
  fn: async () => {
    // A slow machine must reach only the time-outs that are expected.
    await using sshd = await startSshd("LoginGraceTime 600");
    await Deno.writeTextFile(
      `${sshd.home}/.ssh/config`,
      `Host ${SILENT}\n  ConnectTimeout 10\nHost *\n  ConnectTimeout 600\n  ServerAliveInterval 600\n`,
    );
    const gate = `${sshd.folder}/gate`;
    await new Deno.Command("mkfifo", { args: ["-m", "666", gate] }).output();
    using opener = await Deno.open(gate, { read: true, write: true });
    // a user without startup files: those of root may write to stderr when many log in at once
    await Deno.mkdir(`${sshd.folder}/user`);
    await using user = await createUser("/bin/bash", `${sshd.folder}/user`);
    await using tool = await toolFor(sshd.home);
    using silent = listenSilently();
    const refusing = freePort();
    const hosts = [
      ...Array.from({ length: 2 }, () => `${SILENT}:${silent.port}`),
      ...Array.from({ length: 3 }, () => `127.0.0.1:${refusing}`),
      ...Array.from({ length: 15 }, (_, at) => `127.0.0.${at + 1}:${sshd.port}`),
    ];
    // Each reads one byte once all of them run.
    const commands = [`echo here; read -r _ <${gate} && echo one`, "echo two"];
    let here = 0;
    const onOutput = ({ text }: OutputEvent) => {
      if (text.includes("here") && ++here === 15) opener.writeSync(new Uint8Array(15).fill(10));
    };
    const connections = hosts.map((host) => ({ host, username: user.name, commands }));
    const results = await tool.run({ connections, timeoutMs: 600_000 }, { onOutput });
    deepStrictEqual(results.map(({ host }) => host), hosts);
    deepStrictEqual(results.map(({ error }) => error?.phase), [
      ...["handshake", "handshake", "connect", "connect", "connect"],
      ...Array.from({ length: 15 }, () => undefined),
    ]);
    for (const { results: each } of results.slice(5)) {
      deepStrictEqual(each, [done("here\none\n"), done("two\n")]);
    }
    for (const { results: each } of results.slice(0, 5)) {
      deepStrictEqual(each, [done("", 255), done("", 255)]);
    }
    strictEqual(silent.most(), 2);
  },
});

/** An address that nothing else uses. */
const SILENT = "127.0.0.20";

/** Accepts connections and never answers; `most()` is how many were open at the same time. */
function listenSilently(): Disposable & { port: number; most(): number } {
  const listener = Deno.listen({ hostname: SILENT, port: 0 });
  let [open, most] = [0, 0];
  const accept = async () => {
    for await (const { readable } of listener) {
      most = Math.max(most, ++open);
      readable.pipeTo(new WritableStream()).catch(() => {}).finally(() => open--);
    }
  };
  accept();
  return {
    port: listener.addr.port,
    most: () => most,
    [Symbol.dispose]: () => listener.close(),
  };
}

const CALLS = times(20, 100);

Deno.test({
  ...requiresSshd(
    `ssh-exec uses one connection for ${CALLS} calls, and closes it when the server stops`,
  ),
  fn: async () => {
    await using sshd = await startSshd();
    const tool = await toolFor(sshd.home);
    const connections = [{ host: sshd.host, username: "root", commands: ["exec true"] }];
    for (let call = 0; call < CALLS; call++) {
      const [{ results = [] } = {}] = await tool.run({ connections });
      strictEqual(results[0]?.exitCode, 0);
    }
    strictEqual((await sshd.connections()).length, 1);
    await tool[Symbol.asyncDispose]();
    await sshd.untilConnections(0);
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
    const [silent = NaN] = await sshd.untilConnections(1);
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
    const sleep = uniqueSleep();
    const commands = [`echo before; sleep ${sleep}`, "echo never"];
    const onOutput = () => void sshd.kill();
    const connections = [{ host: sshd.host, username: "root", commands }];
    const [{ results = [], error } = {}] = await tool.run({ connections }, { onOutput });
    strictEqual(error?.phase, "exec");
    match(error?.message ?? "", /the connection was lost while a command ran/);
    deepStrictEqual(results, [
      { ...done("before\n", 255), stopped: "unknown" },
      done("", 255),
    ]);
    for (const pid of await processesWith(sleep)) Deno.kill(pid, "SIGKILL");
  },
});
