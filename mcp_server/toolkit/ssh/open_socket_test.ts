import { deepStrictEqual, match, ok, rejects } from "node:assert/strict";
import { requires } from "../../../test_support/services.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { needsRoot } from "../../testing/needs_root.ts";
import { freePort } from "../../testing/sshd.ts";
import { openSocket } from "./open_socket.ts";
import type { Hop } from "./route.ts";
import { SshError } from "./ssh2.ts";

function hopTo(hostName: string, port: number): Hop {
  return {
    alias: hostName,
    hostName,
    port,
    user: "root",
    settings: {},
    connectTimeoutMs: 1_000,
    hostKeyNames: [hostName],
  };
}

/** A port whose queue of connections is full, so that the next one is not answered. */
async function startDeaf(): Promise<AsyncDisposable & { port: number }> {
  const script = `import socket, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(0)
c = [socket.socket() for _ in range(4)]
[(x.setblocking(False), x.connect_ex(s.getsockname())) for x in c]
print(s.getsockname()[1], flush=True); time.sleep(60)`;
  const process = new Deno.Command("python3", { args: ["-c", script], stdout: "piped" }).spawn();
  const reader = process.stdout.getReader();
  const { value } = await reader.read();
  return {
    port: Number(new TextDecoder().decode(value)),
    [Symbol.asyncDispose]: async () => {
      process.kill("SIGKILL");
      await reader.cancel();
      await process.status;
    },
  };
}

const never = new AbortController().signal;
const inMs = (ms: number) => performance.now() + ms;

Deno.test("openSocket() reports which address refuses, and which name has none", async () => {
  const refused = hopTo("127.0.0.1", freePort());
  await rejects(openSocket(refused, { deadline: inMs(2_000), signal: never }), (error) => {
    if (!(error instanceof SshError)) return false;
    match(error.message, /^Cannot connect to "127\.0\.0\.1": .+ port \d+: connection refused$/);
    return error.phase === "connect";
  });
  const missing = hopTo("no-such-host.invalid", 22);
  await rejects(
    openSocket(missing, { deadline: inMs(2_000), signal: never }),
    (error) => error instanceof SshError && error.phase === "resolve",
  );
});

Deno.test({
  ...requires("python", "openSocket() gives up at its deadline, and when the call is stopped"),
  fn: async () => {
    await using deaf = await startDeaf();
    const hop = hopTo("127.0.0.1", deaf.port);
    await rejects(openSocket(hop, { deadline: inMs(500), signal: never }), (error) => {
      if (!(error instanceof SshError)) return false;
      match(error.message, /does not answer within 1 s$/);
      return error.phase === "connect";
    });
    const startedAt = performance.now();
    const signal = AbortSignal.timeout(200);
    await rejects(openSocket(hop, { deadline: inMs(60_000), signal }), { name: "TimeoutError" });
    ok(performance.now() - startedAt < 30_000);
  },
});

/** Queries a name server that does not answer, in a mount namespace that has no other. */
const SILENT_RESOLVER = `
const socket = (await import("node:dgram")).createSocket("udp4");
await new Promise((resolve) => socket.bind(53, "127.5.3.1", resolve));
const { openSocket } = await import(Deno.args[0]);
const hop = { alias: "h", hostName: "no-answer.example", port: 1, settings: {} };
const ask = async (signal, ms) => {
  const startedAt = performance.now();
  const error = await openSocket(hop, { deadline: startedAt + ms, signal }).catch((cause) => cause);
  // A name server has 30 s for its answer.
  return [error.name, error.message, performance.now() - startedAt < 25_000];
};
const answers = [
  await ask(new AbortController().signal, 200),
  await ask(AbortSignal.timeout(200), 60_000),
];
console.log(JSON.stringify(answers));
Deno.exit();
`;

Deno.test(
  ...needsRoot("openSocket() does not wait for a name server that does not answer"),
  async () => {
    await using folder = await createTempFolder();
    const resolvConf = `${folder.path}/resolv.conf`;
    await Deno.writeTextFile(resolvConf, "nameserver 127.5.3.1\noptions timeout:30\n");
    const source = new URL("./open_socket.ts", import.meta.url).href;
    const run = 'mount --bind "$1" /etc/resolv.conf && shift && exec "$@"';
    const program = [Deno.execPath(), "eval", "--quiet", "--ext=ts", SILENT_RESOLVER, source];
    const { stdout, stderr } = await new Deno.Command("unshare", {
      args: ["--mount", "sh", "-c", run, "sh", resolvConf, ...program],
    }).output();
    const text = new TextDecoder().decode(stdout) || new TextDecoder().decode(stderr);
    const state =
      `the address of its HostName "no-answer.example" can't be found (no answer in time)`;
    deepStrictEqual(JSON.parse(text), [
      ["SshError", `Cannot resolve "h": ${state}`, true],
      ["TimeoutError", "The operation was aborted due to timeout", true],
    ]);
  },
);
