import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { parseTcpTable, peerKey } from "./tcp_table.ts";

const encoder = new TextEncoder();

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid
   0: 0100007F:04D2 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0
   1: 0100007F:04D2 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0
   2: 0100007F:04D2 0100007F:C351 08 00000000:00000001 00:00000000 00000000     0
  sl  local_address                         remote_address                        st
   0: 0000000000000000FFFF00000100007F:04D2 0000000000000000FFFF00000200000A:C352 01 00000000
   1: 00000000000000000000000001000000:04D2 B80D0120000000000000000001000000:C353 01 00000000
`;

Deno.test("parseTcpTable() finds the peers that have not hung up, in both tables", () => {
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

Deno.test("peerKey() is one for every spelling of an address", () => {
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
  strictEqual(await look(), false);
});

Deno.test("parseTcpTable() reads a table of 100,000 rows in a moment", () => {
  const row = (at: number) =>
    `${String(at).padStart(4)}: 0100007F:04D2 0100007F:${
      (at % 65_536).toString(16).toUpperCase().padStart(4, "0")
    } 06 00000000:00000000 03:00000000 00000000     0        0 0 3 0000000000000000`;
  const rows = Array.from({ length: 100_000 }, (_, at) => row(at));
  const table = encoder.encode(`${TABLE}${rows.join("\n")}\n`);
  const startedAt = performance.now();
  const { present } = parseTcpTable(table, 1234);
  const tookMs = performance.now() - startedAt;
  strictEqual(present.size, 3);
  strictEqual(tookMs < 500, true, `${tookMs} ms`);
});
