import { inTurns } from "../../test_support/bench/in_turns.ts";
import type { Row } from "../../test_support/bench/table.ts";
import { fetchesPerSecond, requestsPerSecond, toRequest } from "./load.ts";
import { toLegacyRequest, toMcpRequest, toSdkRequest } from "./mcp_requests.ts";
import { start } from "./started.ts";

/** The target of MCP, compared with a bare echo. */
const TARGET = "at least 0.15";

/**
 * Compares echo over each transport with a bare JSON echo, and MCP with many tools with one tool.
 */
export async function benchEcho(): Promise<Row[]> {
  await using bare = await start("./bare_server.ts", []);
  await using one = await start("./echo_server.ts", ["1"]);
  await using many = await start("./echo_server.ts", ["51"]);
  await using sdk = await start("./sdk_server.ts", []);
  const api = { tool: "echo-0", args: { text: "hello" } };
  const http = toRequest(one.url, "/api", api);
  const plain = toRequest(bare.url, "/", api);
  const rate = (url: string, request: Uint8Array) => () => requestsPerSecond(url, request);
  const fetches = (url: string) => () => fetchesPerSecond(url, api);
  const [floor = NaN, viaHttp = NaN, thinFloor = NaN, thin = NaN] = await inTurns([
    fetches(bare.url),
    fetches(`${one.url}/api`),
    rate(bare.url, plain),
    rate(one.url, http),
  ], 5);
  const [mcp1 = NaN, mcp51 = NaN, legacy = NaN, viaSdk = NaN, alone = NaN] = await inTurns([
    rate(one.url, toMcpRequest(one.url)),
    rate(many.url, toMcpRequest(many.url)),
    rate(one.url, toLegacyRequest(one.url)),
    rate(one.url, toSdkRequest(one.url)),
    rate(sdk.url, toMcpRequest(sdk.url)),
  ], 5);
  return [
    row("bare `Deno.serve` JSON echo, `fetch()` client", floor),
    row("HTTP API echo / bare echo, `fetch()` client", viaHttp, viaHttp / floor, "at least 0.6"),
    row("HTTP API echo / bare echo, a client of bare TCP", thin, thin / thinFloor),
    row("MCP 2026-07-28 `tools/call` echo / bare echo, bare TCP", mcp1, mcp1 / thinFloor, TARGET),
    row(
      "MCP 2025-11-25 `tools/call` echo / bare echo, bare TCP",
      legacy,
      legacy / thinFloor,
      TARGET,
    ),
    row(
      "MCP 2026-07-28 `tools/call` that is left to the SDK / bare echo",
      viaSdk,
      viaSdk / thinFloor,
    ),
    row("the MCP SDK alone, 2026-07-28 `tools/call` echo / bare echo", alone, alone / thinFloor),
    row("MCP 2026-07-28 `tools/call` echo / the MCP SDK alone", mcp1, mcp1 / alone),
    row("MCP with 51 tools / with 1 tool", mcp51, mcp51 / mcp1, "0.85 to 1.15"),
  ];

  function row(what: string, perSecond: number, ratio?: number, target?: string): Row {
    return { what, value: `${Math.round(perSecond)} /s`, ratio, target };
  }
}
