import { deepStrictEqual } from "node:assert/strict";
import { isWholeRun } from "../../test_support/tier.ts";
import { connectOverHttp, connectOverStdio, type McpPeer } from "./mcp_peer.ts";
import type { ServerOptions } from "./server_process.ts";
import { V1_SDK } from "./v1_client.ts";
import { v2Sdk } from "./v2_client.ts";

const SDKS = [
  ["v1 client", V1_SDK],
  ["v2 client, legacy", v2Sdk("legacy")],
  ["v2 client, 2026-07-28", v2Sdk("2026-07-28")],
] as const;

const TRANSPORTS = [["HTTP", connectOverHttp], ["stdio", connectOverStdio]] as const;

/** Each era and each transport once, for a run of every day. */
const DAILY = ["v1 client over stdio", "v2 client, 2026-07-28 over HTTP"];

/** A test that runs with every client, and how its server is started. */
export interface ClientCase {
  readonly name: string;
  readonly ignore?: boolean;
  readonly server?: ServerOptions;
  readonly fn: (peer: McpPeer) => Promise<void>;
}

/**
 * Registers one test for each kind of client over each transport; in a run of every day only some.
 * A test fails if its client treated an answer as a violation of the protocol.
 */
export function testWithEveryClient({ name, ignore = false, server = {}, fn }: ClientCase): void {
  for (const [transport, connect] of TRANSPORTS) {
    for (const [client, sdk] of SDKS) {
      const way = `${client} over ${transport}`;
      if (!isWholeRun && !DAILY.includes(way)) continue;
      Deno.test({
        name: `${name} (${way})`,
        ignore,
        fn: async () => {
          await using peer = await connect(sdk, server);
          await fn(peer);
          deepStrictEqual(peer.faults, []);
        },
      });
    }
  }
}
