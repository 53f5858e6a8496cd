import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createServer, type Server, type Socket } from "node:net";
import { refusalOf } from "../mcp_server/testing/call_tool.ts";
import {
  answerOk,
  isStop,
  type PeerBehavior,
  startHostilePeer,
} from "../mcp_server/testing/hostile_ssh.ts";
import { requiresSshd, startSshd } from "../mcp_server/testing/sshd.ts";
import { requires } from "../test_support/services.ts";
import { createSshTool } from "../mcp_server/testing/ssh_tool.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { times } from "../test_support/tier.ts";
import register from "./ssh-exec.ts";

/** Listens on a free port of an address, or on a path, and passes connections to a function. */
async function listen(
  serve: (socket: Socket) => void,
  { path, address = "127.0.0.1" }: { path?: string; address?: string } = {},
): Promise<AsyncDisposable & { port: number; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.resume();
    serve(socket);
  });
  await new Promise<void>((resolve) =>
    path === undefined ? server.listen(0, address, resolve) : server.listen(path, resolve)
  );
  const listening = server.address();
  return {
    port: typeof listening === "object" ? listening?.port ?? 0 : 0,
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function repeat(socket: Socket, text: string): void {
  const go = () => {
    while (!socket.destroyed && socket.write(text));
    if (!socket.destroyed) socket.once("drain", go);
  };
  go();
}

const SILENT = /it is silent, after 1 s$/;

const GREETINGS: Readonly<Record<string, readonly [(socket: Socket) => void, RegExp]>> = {
  "says nothing": [() => {}, SILENT],
  "sends lines without end": [(socket) => repeat(socket, "banner\r\n".repeat(500)), /Max greeting/],
  "sends a line without end": [(socket) => repeat(socket, "x".repeat(1_000)), /line too long/],
  "sends a letter from time to time": [
    (socket) => {
      const timer = setInterval(() => socket.write("x"), 100);
      socket.on("close", () => clearInterval(timer));
    },
    SILENT,
  ],
  "sends no keys": [
    (socket) => void socket.write("SSH-2.0-half\r\n"),
    SILENT,
  ],
  "sends what is not a key exchange": [
    (socket) => void socket.write(`SSH-2.0-odd\r\n${"\x00\x00\x00\x0c\x0a\x14".repeat(100)}`),
    /^Cannot speak SSH with/,
  ],
  "speaks HTTP": [(socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"), /Cannot speak/],
  "disconnects at once": [(socket) => void socket.destroy(), /^Cannot speak SSH with/],
  "resets at once": [
    (socket) => void socket.resetAndDestroy(),
    /^Cannot (speak SSH with|connect to)/,
  ],
};

Deno.test(requires("sshd", "ssh-exec fails in time if a server does not speak SSH"), async () => {
  await using home = await createTempFolder();
  await Deno.mkdir(`${home.path}/.ssh`);
  // A slow machine must reach only the time-outs that are expected.
  const config = "Host 127.0.0.2\n  ConnectTimeout 1\nHost *\n  ConnectTimeout 120\n";
  await Deno.writeTextFile(`${home.path}/.ssh/config`, config);
  await using tool = await createSshTool(register, { HOME: home.path, USER: "u" });
  await Promise.all(
    Object.entries(GREETINGS).map(async ([name, [serve, message]]) => {
      const address = message === SILENT ? "127.0.0.2" : "127.0.0.1";
      await using server = await listen(serve, { address });
      const startedAt = performance.now();
      const connections = [{ host: `${address}:${server.port}`, commands: ["true"] }];
      const [{ error } = {}] = await tool.run({ connections });
      // A reset may arrive before the connection counts as established.
      match(
        error?.phase ?? "",
        name === "resets at once" ? /handshake|connect/ : /^handshake$/,
        name,
      );
      match(error?.message ?? "", message, name);
      ok(performance.now() - startedAt < 90_000, name);
      await until(() => server.sockets.size === 0, `${name}: the socket is closed`);
    }),
  );
});

const PHASES: Readonly<Record<string, PeerBehavior>> = {
  "logging in": { onAuth: () => {} },
  "opening a channel": { onSession: () => {} },
  "starting a command": { onExec: () => {} },
  "reading output": { onExec: (exec) => void (isStop(exec) ? answerOk(exec) : exec.accept()) },
  "stopping": { onExec: (exec) => void (isStop(exec) || exec.accept()) },
};

Deno.test("ssh-exec can be cancelled while it is ...", async () => {
  await Promise.all(
    Object.entries(PHASES).map(async ([name, behavior]) => {
      const reached = Promise.withResolvers<void>();
      await using peer = await startHostilePeer({
        onAuth: (attempt, connection) => {
          if (behavior.onAuth === undefined) return attempt.accept();
          reached.resolve();
          behavior.onAuth(attempt, connection);
        },
        onSession: (accept, connection) => {
          if (behavior.onSession === undefined) return accept();
          reached.resolve();
          behavior.onSession(accept, connection);
        },
        onExec: (exec) => {
          behavior.onExec?.(exec);
          reached.resolve();
        },
      });
      await using tool = await createSshTool(register, { HOME: peer.home, USER: "u" });
      const controller = new AbortController();
      const connections = [{ host: peer.host, commands: ["true", "never"] }];
      const call = tool.call({ connections }, { signal: controller.signal });
      await reached.promise;
      const startedAt = performance.now();
      controller.abort(new DOMException("gone", "AbortError"));
      strictEqual(refusalOf(await call).kind, "CANCELLED", name);
      const took = performance.now() - startedAt;
      ok(took < 60_000, `${name} took ${took} ms`);
    }),
  );
});

Deno.test("ssh-exec drops a kept connection if the host sends endlessly", async () => {
  const idle = Promise.withResolvers<() => void>();
  await using peer = await startHostilePeer({
    onReady: ({ _protocol: protocol, _sock: socket }) =>
      idle.resolve(() => {
        const send = () => {
          for (let request = 0; request < 500 && !socket.destroyed; request++) protocol.ping();
          if (!socket.destroyed) setTimeout(send, 0);
        };
        send();
      }),
  });
  await using tool = await createSshTool(register, { HOME: peer.home, USER: "u" });
  const connections = [{ host: peer.host, commands: ["true"] }];
  const [{ results: [first] = [] } = {}] = await tool.run({ connections });
  strictEqual(first?.stdout, "ok\n");
  (await idle.promise)();
  await until(() => peer.sockets.size === 0, "the connection is closed");
  const [{ results: [second] = [] } = {}] = await tool.run({ connections });
  strictEqual(second?.stdout, "ok\n");
});

Deno.test("ssh-exec logs in with a key if the agent hangs, and disconnects from the agent", async () => {
  await using peer = await startHostilePeer();
  const path = `${peer.home}/agent`;
  await using agent = await listen(() => {}, { path });
  await using tool = await createSshTool(register, {
    HOME: peer.home,
    USER: "u",
    SSH_AUTH_SOCK: path,
  });
  const connections = [{ host: peer.host, commands: ["true"] }];
  const [{ results: [result] = [] } = {}] = await tool.run({ connections });
  strictEqual(result?.stdout, "ok\n");
  await until(() => agent.sockets.size === 0, "the connection to the agent is closed");
});

Deno.test(
  requires("sshd", "ssh-exec reports which file of OpenSSH it can't read, and never waits for one"),
  async () => {
    await using peer = await startHostilePeer();
    const ssh = `${peer.home}/.ssh`;
    const good = {
      known_hosts: await Deno.readTextFile(`${ssh}/known_hosts`),
      config: "",
      id_rsa: await Deno.readTextFile(`${ssh}/id_rsa`),
    };
    const many = "[127.0.0.1]:1 ssh-rsa AAAAB3NzaC1yc2E=\n";
    const cases: [file: keyof typeof good, make: (path: string) => Promise<void>, RegExp][] = [
      [
        "known_hosts",
        makeFifo,
        /^Cannot trust .+\/known_hosts" can't be read: it is not a regular file/,
      ],
      ["known_hosts", (path) => Deno.mkdir(path), /it is not a regular file$/],
      ["known_hosts", (path) => makeLarge(path, 100 << 20), /it has more than 16777216 bytes$/],
      ["known_hosts", (path) => Deno.symlink("/dev/zero", path), /is not known; add it/],
      ["known_hosts", (path) => Deno.writeFile(path, noise(1 << 20)), /is not known; add it/],
      ["known_hosts", (path) => Deno.writeTextFile(path, many.repeat(50_000)), /is not known/],
      ["known_hosts", (path) => Deno.writeTextFile(path, `a ${"b ".repeat(1 << 20)}`), /not known/],
      ["config", makeFifo, /^Cannot read ".+\/config": it is not a regular file$/],
      ["config", (path) => makeLarge(path, 2 << 20), /it has more than 1048576 bytes$/],
      [
        "config",
        (path) => Deno.writeTextFile(path, 'Host "\n'),
        /^Cannot read the SSH config for "127.0.0.1": .+\/config line 1: invalid quotes/,
      ],
      [
        "config",
        (path) => Deno.writeTextFile(path, `Include ${path}\n`),
        /Too many recursive configuration includes/,
      ],
      ["id_rsa", makeFifo, /not a regular file|refused/],
    ];
    await using tool = await createSshTool(register, { HOME: peer.home, USER: "u" });
    const connections = [{ host: peer.host, commands: ["true"] }];
    for (const [file, make, message] of cases) {
      await Deno.remove(`${ssh}/${file}`, { recursive: true }).catch(() => {});
      await make(`${ssh}/${file}`);
      const startedAt = performance.now();
      const [{ error } = {}] = await tool.run({ connections });
      if (file !== "id_rsa") match(error?.message ?? "", message);
      ok(performance.now() - startedAt < 60_000, `${file}: ${message}`);
      await Deno.remove(`${ssh}/${file}`, { recursive: true });
      await Deno.writeTextFile(`${ssh}/${file}`, good[file]);
    }
  },
);

Deno.test("ssh-exec trusts no unknown host whose key it can't add to known_hosts", async () => {
  await using peer = await startHostilePeer();
  const file = `${peer.home}/.ssh/known_hosts`;
  const known = await Deno.readTextFile(file);
  await Deno.remove(file);
  await Deno.symlink(`${peer.home}/missing/known_hosts`, file);
  const env = { HOME: peer.home, USER: "u", MCP_SSH_HOST_KEYS: "accept-new" };
  await using tool = await createSshTool(register, env);
  const connections = [{ host: peer.host, commands: ["true"] }];
  const [{ error } = {}] = await tool.run({ connections });
  strictEqual(error?.phase, "host-key");
  match(error?.message ?? "", /its new key can't be added to ".+\/known_hosts": it does not exist/);
  await Deno.mkdir(`${peer.home}/missing`);
  const [{ results: [result] = [] } = {}] = await tool.run({ connections });
  strictEqual(result?.stdout, "ok\n");
  strictEqual(await Deno.readTextFile(`${peer.home}/missing/known_hosts`), known);
});

/** Each has 20 connections. */
const CALLS = times(2, 10);

Deno.test(`ssh-exec leaves no descriptor open after ${20 * CALLS} connections`, async () => {
  await using peer = await startHostilePeer({
    onExec: (exec) => {
      const channel = exec.accept();
      channel.exit(0);
      channel.end();
      exec.connection._sock.end();
    },
  });
  await using tool = await createSshTool(register, { HOME: peer.home, USER: "u" });
  const connections = Array.from({ length: 20 }, () => ({ host: peer.host, commands: ["true"] }));
  const open = () => [...Deno.readDirSync("/proc/self/fd")].filter(isNoEventLoop).length;
  await tool.run({ connections });
  await until(() => peer.sockets.size === 0, "the first connections are closed");
  const before = open();
  for (let call = 1; call < CALLS; call++) await tool.run({ connections });
  await until(() => peer.sockets.size === 0, "all connections are closed");
  await until(() => open() <= before, `no more than ${before} descriptors are open`);
});

Deno.test("ssh-exec rejects a command that does not fit into a packet", async () => {
  await using peer = await startHostilePeer();
  await using tool = await createSshTool(register, { HOME: peer.home, USER: "u" });
  const connections = [{ host: peer.host, commands: ["true", "x".repeat(300_000)] }];
  const [{ results = [], error } = {}] = await tool.run({ connections });
  deepStrictEqual(results.map(({ exitCode }) => exitCode), [0, 255]);
  match(error?.message ?? "", /the command takes 300\d{3} bytes and may take 261120/);
});

Deno.test({
  ...requiresSshd("ssh-exec survives the end of a kept connection behind a ProxyJump"),
  fn: async () => {
    await using sshd = await startSshd();
    await Deno.writeTextFile(
      `${sshd.home}/.ssh/config`,
      `Host last\n  HostName 127.0.0.3\n  ProxyJump 127.0.0.2\nHost *\n  Port ${sshd.port}\n`,
    );
    await using tool = await createSshTool(register, { HOME: sshd.home, USER: "root" });
    const connections = [{ host: "last", commands: ["echo ok"] }];
    const [{ results: [first] = [] } = {}] = await tool.run({ connections });
    strictEqual(first?.stdout, "ok\n", String(first?.stderr));
    const [, last = NaN] = (await sshd.untilConnections(2)).toSorted((a, b) => a - b);
    Deno.kill(last, "SIGKILL");
    await sshd.untilConnections(0);
    const [{ results: [second] = [], error } = {}] = await tool.run({ connections });
    strictEqual(error, undefined);
    strictEqual(second?.stdout, "ok\n");
  },
});

async function makeFifo(path: string): Promise<void> {
  await new Deno.Command("mkfifo", { args: [path] }).output();
}

async function makeLarge(path: string, bytes: number): Promise<void> {
  await Deno.writeTextFile(path, "");
  await Deno.truncate(path, bytes);
}

function noise(bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, at) => (at * 7_919) % 256);
}

async function until(done: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 15_000;
  while (!done()) {
    ok(performance.now() < deadline, `Cannot confirm that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Whether a descriptor of this process belongs to no event loop: those of ended threads end later. */
function isNoEventLoop({ name }: Deno.DirEntry): boolean {
  try {
    return !Deno.readLinkSync(`/proc/self/fd/${name}`).startsWith("anon_inode:[event");
  } catch {
    return false;
  }
}
