import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { cpuUsage } from "node:process";
import { uniqueSleep, untilProcesses } from "../testing/processes.ts";
import { startServer } from "../testing/server_process.ts";
import { DisconnectWatcher, parseTcpTable, peerKey } from "./disconnect_watcher.ts";

const START_FLAGS = ["read", "write", "run", "env", "net", "sys"].map((name) => `--allow-${name}`);
/** The server's guarantee, and slack for a machine that is busy with other tests. */
const STOP_MS = 4_000 + 4_000;

/** Sends a call over a TCP connection and disconnects while it runs. */
async function callAndHangUp(url: string, padding: number): Promise<string> {
  const sleep = uniqueSleep();
  const script = `sleep ${sleep} #${"x".repeat(padding)}`;
  const body = JSON.stringify({ tool: "bash-script", args: { script } });
  const { hostname, port } = new URL(url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const head = `POST /api HTTP/1.1\r\nHost: ${hostname}:${port}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  await connection.write(new TextEncoder().encode(head));
  await connection.write(new TextEncoder().encode(body));
  await untilProcesses(sleep, 1, 10_000);
  connection.close();
  return sleep;
}

for (const permissions of [["-A"], START_FLAGS]) {
  Deno.test(`a client that disconnects stops its call, large or small (${permissions[0]})`, async () => {
    await using server = await startServer({ permissions });
    for (const padding of [0, 800, 60_000]) {
      const sleep = await callAndHangUp(server.url, padding);
      await untilProcesses(sleep, 0, STOP_MS);
    }
  });
}

Deno.test("a client that stays connected gets its answer, however long the call takes", async () => {
  await using server = await startServer();
  const body = JSON.stringify({
    tool: "bash-script",
    args: { script: `sleep 2.2; echo done #${"x".repeat(2_000)}` },
  });
  const init = { method: "POST", headers: { "content-type": "application/json" }, body };
  const { stdout } = await (await fetch(`${server.url}/api`, init)).json();
  strictEqual(stdout, "done\n");
});

Deno.test("DisconnectWatcher reads no table for calls that end before its first check", async () => {
  let reads = 0;
  const watch = new DisconnectWatcher(() => 1, () => {
    reads++;
    return Promise.resolve(new Uint8Array());
  });
  using _late = watch.watch({ hostname: "127.0.0.1", port: 2 }, () => {});
  await new Promise((resolve) => setTimeout(resolve, 600));
  strictEqual(reads, 0);
});

Deno.test("DisconnectWatcher reports no client as disconnected if the tables can't be read", async () => {
  let gone = false;
  const watch = new DisconnectWatcher(() => 1, () => Promise.resolve(new Uint8Array()));
  using _call = watch.watch({ hostname: "127.0.0.1", port: 2 }, () => gone = true);
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  strictEqual(gone, false);
});

const encoder = new TextEncoder();

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid
   0: 0100007F:04D2 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0
   1: 0100007F:04D2 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0
   2: 0100007F:04D2 0100007F:C351 08 00000000:00000001 00:00000000 00000000     0
  sl  local_address                         remote_address                        st
   0: 0000000000000000FFFF00000100007F:04D2 0000000000000000FFFF00000200000A:C352 01 00000000
   1: 00000000000000000000000001000000:04D2 B80D0120000000000000000001000000:C353 01 00000000
`;

Deno.test("parseTcpTable() finds the peers that have not disconnected, in both tables", () => {
  const table = encoder.encode(TABLE);
  const { present, isListening } = parseTcpTable(table, 1234);
  strictEqual(isListening, true);
  const peers = [
    { hostname: "127.0.0.1", port: 50_000 },
    { hostname: "127.0.0.1", port: 50_001 },
    { hostname: "10.0.0.2", port: 50_002 },
    { hostname: "2001:db8::1", port: 50_003 },
  ];
  deepStrictEqual(peers.map((peer) => present.has(peerKey(peer))), [true, false, true, true]);
  deepStrictEqual(parseTcpTable(table, 1235), { present: new Set(), isListening: false });
});

Deno.test("peerKey() is the same for every spelling of an address", () => {
  const key = (hostname: string) => peerKey({ hostname, port: 1 });
  strictEqual(key("::ffff:127.0.0.1"), key("127.0.0.1"));
  strictEqual(key("2001:0db8:0:0:0:0:0:1"), key("2001:db8::1"));
});

Deno.test("parseTcpTable() reads the table of this machine", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  const client = await Deno.connect({ hostname: "127.0.0.1", port });
  using _server = await listener.accept();
  const key = peerKey(client.localAddr);
  const look = async () => {
    return parseTcpTable(await Deno.readFile("/proc/net/tcp"), port).present.has(key);
  };
  strictEqual(await look(), true);
  client.close();
  for (const late = performance.now() + 30_000; await look();) {
    ok(performance.now() < late, "the table still has the client");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
});

Deno.test("parseTcpTable() reads a table of 100,000 rows quickly", () => {
  const row = (at: number) =>
    `${String(at).padStart(4)}: 0100007F:04D2 0100007F:${
      (at % 65_536).toString(16).toUpperCase().padStart(4, "0")
    } 06 00000000:00000000 03:00000000 00000000     0        0 0 3 0000000000000000`;
  const rows = Array.from({ length: 100_000 }, (_, at) => row(at));
  const table = encoder.encode(`${TABLE}${rows.join("\n")}\n`);
  const times = Array.from({ length: 5 }, () => {
    const before = cpuUsage();
    strictEqual(parseTcpTable(table, 1234).present.size, 3);
    const { user, system } = cpuUsage(before);
    return (user + system) / 1_000;
  });
  // The time of the processor: a busy machine takes longer, and not all of them alike.
  ok(Math.min(...times) < 500, `${times} ms`);
});
