import { deepStrictEqual } from "node:assert/strict";
import { isWholeRun } from "../../test_support/tier.ts";
import { connectOverHttp, connectOverStdio, type McpPeer, type PeerSdk } from "./mcp_peer.ts";
import { type ServerOptions, startServer } from "./server_process.ts";
import { V1_SDK } from "./v1_client.ts";
import { v2Sdk } from "./v2_client.ts";

/** The clients, and over which transports each runs every day: each era and each transport once. */
const SDKS: readonly (readonly [name: string, sdk: PeerSdk, daily: "HTTP" | "stdio" | "never"])[] =
  [
    ["v1 client", V1_SDK, "stdio"],
    ["v2 client, legacy", v2Sdk("legacy"), "never"],
    ["v2 client, 2026-07-28", v2Sdk("2026-07-28"), "HTTP"],
  ];

/** What every client does, in its turn, over one connection. */
export interface ClientCase {
  readonly name: string;
  readonly ignore?: boolean;
  readonly fn: (peer: McpPeer) => Promise<void>;
}

/** Cases that share servers and connections. */
export interface ClientCases {
  /** What they are about. */
  readonly name: string;
  /** How a server is started. @default {without flags} */
  readonly server?: ServerOptions;
  /** In their order; only the last may close the connection. */
  readonly cases: readonly ClientCase[];
}

/**
 * Registers one test for each kind of client over each transport, with a step for each case; in a run
 * of every day only some. All clients over HTTP have one server. A case fails if its client treated
 * an answer as a violation of the protocol.
 */
export function testWithEveryClient({ name, server = {}, cases }: ClientCases): void {
  const clients = (transport: "HTTP" | "stdio") =>
    SDKS.filter(([_name, _sdk, daily]) => isWholeRun || daily === transport);
  Deno.test(`${name} over HTTP`, async (t) => {
    await using process = await startServer(server);
    for (const [client, sdk] of clients("HTTP")) {
      await t.step(client, async (t) => {
        await using peer = await connectOverHttp(sdk, process.url);
        await runCases(t, cases, peer);
      });
    }
  });
  for (const [client, sdk] of clients("stdio")) {
    Deno.test(`${name} over stdio: ${client}`, async (t) => {
      await using peer = await connectOverStdio(sdk, server);
      await runCases(t, cases, peer);
    });
  }
}

async function runCases(
  t: Deno.TestContext,
  cases: readonly ClientCase[],
  peer: McpPeer,
): Promise<void> {
  for (const { name, ignore = false, fn } of cases) {
    const check = async () => {
      await fn(peer);
      deepStrictEqual(peer.faults, []);
    };
    await t.step({ name, ignore, fn: check });
  }
}
