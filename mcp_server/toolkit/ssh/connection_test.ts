import { strictEqual } from "node:assert/strict";
import { PassThrough } from "node:stream";
import { loadSsh2 } from "./ssh2.ts";
import type { Hop } from "./route.ts";
import { Connection } from "./connection.ts";
import { PeerTraffic } from "./open_client.ts";

const HOP: Hop = {
  alias: "h",
  hostName: "h",
  port: 22,
  user: "u",
  settings: {},
  connectTimeoutMs: 1_000,
  hostKeyNames: ["h"],
};

Deno.test("Connection counts as lost when this side of a socket ends, also before it is created", async () => {
  const { Client } = await loadSsh2();
  const create = () => ({
    client: new Client(),
    sock: new PassThrough(),
    traffic: new PeerTraffic(),
    hop: HOP,
    shown: { key: new Uint8Array(), stamp: "" },
  });
  for (const which of ["last", "before"] as const) {
    const logins = { last: create(), before: create() };
    const connection = new Connection(logins.last, [logins.before]);
    strictEqual(connection.alive, true);
    const lost = new Promise<void>((resolve) => connection.onLost(resolve));
    logins[which].sock.end();
    await lost;
    strictEqual(connection.alive, false);
    strictEqual(new Connection(logins.last, [logins.before]).alive, false, which);
  }
});
