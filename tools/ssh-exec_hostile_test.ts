import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import {
  answerOk,
  DISCONNECT,
  isStop,
  markerOf,
  type PeerBehavior,
  type PeerConnection,
  type PeerExec,
  sendDisconnect,
  sendExitSignal,
  untilClosed,
  withPeer,
} from "../mcp_server/testing/hostile_ssh.ts";
import { requires } from "../test_support/services.ts";
import type { HostResult } from "../mcp_server/toolkit/ssh/ssh_runner.ts";
import { isWholeRun, times } from "../test_support/tier.ts";
import register from "./ssh-exec.ts";

/** Answers scripts that stop a command like a well-behaved server, and commands as specified. */
function onCommand(answer: (exec: PeerExec) => void): PeerBehavior {
  return { onExec: (exec) => isStop(exec) ? answerOk(exec) : answer(exec) };
}

/** How often a flood sends a group of packets: every day enough to be cut, else without end. */
const FLOOD_TURNS = times(500, Infinity);

/** Sends as fast as the other side reads. */
function flood({ connection }: PeerExec, send: () => void): void {
  const { _sock: socket } = connection;
  let turns = 0;
  const go = () => {
    if (socket.destroyed || !socket.writable || turns++ >= FLOOD_TURNS) return;
    for (let packet = 0; packet < 16; packet++) send();
    if (socket.writableNeedDrain) socket.once("drain", go);
    else setTimeout(go, 0);
  };
  go();
}

/** Acts once the other side, which shares this thread, has read what was sent so far. */
async function afterTurns(act: () => void): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 5));
  act();
}

const BLOCK = Buffer.alloc(30_000, "a");

interface Case extends PeerBehavior {
  /** The expected result of the one command: standard output and exit code. */
  readonly gives: Partial<HostResult["results"][number]>;
  readonly fault?: RegExp;
}

const CASES: Readonly<Record<string, Case>> = {
  "is a correct server": { gives: { stdout: "ok\n", exitCode: 0 } },
  "never opens a channel": {
    onSession: () => {},
    gives: { timedOut: true, stopped: "unknown" },
  },
  "never answers the command": {
    onExec: () => {},
    gives: { timedOut: true, stopped: "unknown" },
  },
  "refuses the command": {
    ...onCommand((exec) => exec.reject()),
    gives: { exitCode: 255 },
    fault: /^Cannot run commands on/,
  },
  "prints no marker": {
    ...onCommand((exec) => {
      const channel = exec.acceptSilently();
      channel.write("x".repeat(100_000));
      channel.exit(0);
      channel.end();
    }),
    gives: { stdout: "", exitCode: 255 },
    fault: /the login shell ended with 0 and ran none; it printed: x{2000}$/,
  },
  "prints another command's marker": {
    ...onCommand((exec) => {
      const channel = exec.acceptSilently();
      channel.write(`trestle-${"0".repeat(32)} 1\n${markerOf(exec)} x\n${markerOf(exec)} -1\n`);
      channel.exit(0);
      channel.end();
    }),
    gives: { stdout: "", exitCode: 255 },
    fault: /ran none/,
  },
  "closes the channel without an exit status": {
    ...onCommand((exec) => exec.accept().end("out\n")),
    gives: { stdout: "out\n", exitCode: 255, stopped: "unknown" },
    fault: /^Cannot get the result from .+: it closed the channel without an exit status$/,
  },
  "sends the exit status after the close": {
    ...onCommand((exec) => {
      const { outgoing: { id } } = exec.accept();
      const { _protocol: protocol } = exec.connection;
      protocol.channelClose(id);
      protocol.exitStatus(id, 4);
      protocol.channelData(id, Buffer.from("late"));
      protocol.channelClose(id);
    }),
    gives: { stdout: "", exitCode: 255, stopped: "unknown" },
    fault: /without an exit status$/,
  },
  "never closes the channel": {
    ...onCommand((exec) => {
      const channel = exec.accept();
      channel.write("out\n");
      channel.exit(3);
    }),
    gives: { stdout: "out\n", exitCode: 3 },
  },
  "sends two exit codes, of 32 bits": {
    ...onCommand((exec) => {
      const channel = exec.accept();
      const { _protocol: protocol } = exec.connection;
      protocol.exitStatus(channel.outgoing.id, 4_294_967_295);
      protocol.exitStatus(channel.outgoing.id, 0);
      channel.end();
    }),
    gives: { exitCode: 4_294_967_295 },
  },
  "reports a signal with an unknown name": {
    ...onCommand((exec) => {
      const channel = exec.accept();
      const name = `\u001b[2J\n${"y".repeat(20_000)}`;
      sendExitSignal(exec.connection, channel.outgoing.id, name);
      channel.end();
    }),
    gives: { exitCode: 128, signal: `SIG2J${"y".repeat(59)}` },
  },
  "sends output after its end of file": {
    ...onCommand((exec) => {
      const { outgoing: { id } } = exec.accept();
      const { _protocol: protocol } = exec.connection;
      protocol.channelEOF(id);
      protocol.channelData(id, Buffer.from("after\n"));
      protocol.channelExtData(id, Buffer.from("after\n"), 1);
      protocol.exitStatus(id, 0);
      protocol.channelClose(id);
    }),
    gives: { stdout: "", stderr: "", exitCode: 0 },
  },
  "drops the connection": {
    ...onCommand((exec) => {
      exec.accept();
      afterTurns(() => exec.connection._sock.resetAndDestroy());
    }),
    gives: { exitCode: 255, stopped: "unknown" },
    fault: /the connection was lost while a command ran/,
  },
  "ends only its side of the connection": {
    ...onCommand((exec) => {
      exec.accept();
      afterTurns(() => exec.connection._sock.end());
    }),
    gives: { exitCode: 255, stopped: "unknown" },
    fault: /the connection was lost while a command ran/,
  },
  "sends what is not a packet": {
    ...onCommand((exec) => {
      exec.accept();
      afterTurns(() => exec.connection._sock.write(Buffer.alloc(100_000, 7)));
    }),
    gives: { exitCode: 255, stopped: "unknown" },
    fault: /the connection was lost while a command ran \(/,
  },
  "stops reading": {
    onExec: (exec) => {
      exec.accept();
      exec.connection._sock.pause();
    },
    gives: { timedOut: true, stopped: "unknown" },
  },
  "never answers the script that stops": {
    onExec: (exec) => void (isStop(exec) || exec.accept()),
    gives: { timedOut: true, stopped: "unknown" },
  },
  "says that a process is left": {
    onExec: (exec) =>
      void (isStop(exec) ? exec.accept().write(`${markerOf(exec)} left\n`) : exec.accept()),
    gives: { timedOut: true, stopped: false },
  },
  "prints what looks like the end of the script": {
    onExec: (exec) => void (isStop(exec) ? exec.accept().write("gone\nended 5\n") : exec.accept()),
    gives: { timedOut: true, stopped: "unknown" },
  },
};

/** Peers that keep both sides busy, so they are tested one after the other. */
const FLOODS: Readonly<Record<string, Case>> = {
  "exchanges keys without end": {
    ...onCommand((exec) => {
      exec.accept();
      const again = () => {
        if (exec.connection._sock.destroyed) return;
        exec.connection.rekey(() => setTimeout(again, 0));
      };
      again();
    }),
    gives: { timedOut: true, stopped: true },
  },
  "floods stdout": {
    ...onCommand((exec) => {
      const { outgoing: { id } } = exec.accept();
      flood(exec, () => exec.connection._protocol.channelData(id, BLOCK));
    }),
    gives: { timedOut: true, truncated: true },
  },
  "floods stderr": {
    ...onCommand((exec) => {
      const { outgoing: { id } } = exec.accept();
      flood(exec, () => exec.connection._protocol.channelExtData(id, BLOCK, 1));
    }),
    gives: { timedOut: true, truncated: true },
  },
  "floods output without a marker": {
    onExec: (exec) => {
      const { outgoing: { id } } = exec.acceptSilently();
      flood(exec, () => exec.connection._protocol.channelData(id, BLOCK));
    },
    gives: { timedOut: true, stdout: "", stopped: "unknown" },
  },
  "requests replies without end": {
    ...onCommand((exec) => {
      exec.accept();
      flood(exec, () => {
        for (let request = 0; request < 500; request++) exec.connection._protocol.ping();
      });
    }),
    gives: { exitCode: 255, stopped: "unknown" },
    fault: /it sends unrequested data without end/,
  },
};

const STOP_MS = 1_000 + 5_000 + 2_000;
/** What all peers together, in one thread with their clients, may need; without an end, none returns. */
const BUSY_MS = 150_000;

/** Names a test with a config, which OpenSSH reads. */
const withOpenSsh = (name: string) => requires("sshd", name);

/** Calls a peer once or twice: the second call encounters what the first one left behind. */
async function callPeer(
  name: string,
  { gives, fault, ...behavior }: Case,
  calls: readonly string[],
): Promise<void> {
  await withPeer(register, behavior, async (tool, peer) => {
    const connections = [{ host: peer.host, commands: ["true"] }];
    // A slow machine must have logged in before an expected time-out, and not reach another one.
    const timeoutMs = gives.timedOut ? 6_000 : 60_000;
    for (const which of calls) {
      const startedAt = performance.now();
      const call = { connections, timeoutMs, maxOutputBytes: 1_024 };
      const [{ results: [result] = [], error } = {}] = await tool.run(call);
      const took = performance.now() - startedAt;
      if (fault === undefined) strictEqual(error, undefined, `${name}, ${which}`);
      else match(error?.message ?? "", fault, `${name}, ${which}`);
      deepStrictEqual({ ...result, ...gives }, result, `${name}, ${which}`);
      ok(took < STOP_MS + BUSY_MS, `${name}, ${which}: ${took} ms`);
      ok(JSON.stringify(result).length < 8_000);
    }
  });
}

/** In a run of every day, some: each holds a connection until its time-out. */
const MISBEHAVING = Object.entries(CASES).filter((_, index) => isWholeRun || index % 10 === 0);

Deno.test(
  withOpenSsh("ssh-exec answers correctly and in time, and disconnects from hosts that misbehave"),
  async () => {
    const both = ["first call", "second call"];
    await Promise.all(MISBEHAVING.map(([name, given]) => callPeer(name, given, both)));
  },
);

for (const [name, given] of Object.entries(FLOODS)) {
  // every day, one that is cut at the time-out and one that is not: each takes seconds
  if (!isWholeRun && !/^(floods stdout|requests replies)/.test(name)) continue;
  const test = withOpenSsh(`ssh-exec answers in time if a host ${name}`);
  Deno.test(test, () => callPeer(name, given, ["call"]));
}

const WORDS: Readonly<Record<string, (exec: PeerExec) => void>> = {
  "whose login shell prints a lot": (exec) => {
    const channel = exec.acceptSilently();
    channel.stderr.write("\0\x1bwords ".repeat(100_000));
    channel.exit(1);
    channel.end();
  },
  "that disconnects with a long description": (exec) =>
    sendDisconnect(exec.connection, "\0\x1bwords ".repeat(3_500)),
};

for (const [name, onExec] of Object.entries(WORDS)) {
  Deno.test(withOpenSsh(`ssh-exec repeats little of the text of a host ${name}`), async () => {
    await withPeer(register, { onExec }, async (tool, peer) => {
      const commands = Array.from({ length: 100 }, () => "true");
      const [result] = await tool.run({ connections: [{ host: peer.host, commands }] });
      strictEqual(result?.results.length, 100);
      match(result?.error?.message ?? "", /words words/);
      // deno-lint-ignore no-control-regex -- the test searches for control characters
      ok(!/[\x00\x1b]/.test(result?.error?.message ?? ""));
      ok(JSON.stringify(result).length < 300_000, `${JSON.stringify(result).length}`);
    });
  });
}

Deno.test(
  withOpenSsh("ssh-exec closes a connection that breaks off between two commands and stays open"),
  async () => {
    let commands = 0;
    const onExec = (exec: PeerExec) => {
      if (commands++ > 0) return answerOk(exec);
      const { _protocol: protocol, _sock: socket } = exec.connection;
      // The client gets the end of the command in one piece with what is not a packet.
      socket.cork();
      const { outgoing: { id } } = exec.accept();
      protocol.channelData(id, Buffer.from("ok\n"));
      protocol.exitStatus(id, 0);
      protocol.channelEOF(id);
      protocol.channelClose(id);
      socket.write(Buffer.alloc(1_024, 7));
      socket.uncork();
      socket.pause();
    };
    await withPeer(register, { onExec }, async (tool, peer) => {
      const call = { connections: [{ host: peer.host, commands: ["true", "true"] }] };
      const [{ results: [first] = [] } = {}] = await tool.run(call);
      strictEqual(first?.stdout, "ok\n");
    });
  },
);

Deno.test(
  withOpenSsh("ssh-exec closes a kept connection whose host disconnects and keeps its side open"),
  async () => {
    const ready = Promise.withResolvers<PeerConnection>();
    await withPeer(register, { onReady: ready.resolve }, async (tool, peer) => {
      const [{ error } = {}] = await tool.run({
        connections: [{ host: peer.host, commands: ["true"] }],
      });
      strictEqual(error, undefined);
      const connection = await ready.promise;
      sendDisconnect(connection, "", DISCONNECT.byApplication);
      connection._sock.pause();
      await untilClosed(peer.port);
    });
  },
);
