import * as z from "zod";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import type { Row } from "../../test_support/bench/table.ts";
import { requestsPerSecond, toRequest } from "./load.ts";
import { toMcpRequest, toSdkRequest } from "./mcp_requests.ts";
import { start, type Started } from "./started.ts";

const WAYS: readonly [what: string, toWayRequest: (url: string) => Uint8Array][] = [
  ["HTTP API echo", (url) => toRequest(url, "/api", { tool: "echo-0", args: { text: "hello" } })],
  ["MCP 2026-07-28 `tools/call` echo", toMcpRequest],
  ["the same, left to the MCP SDK", toSdkRequest],
];

const WARM_UP_MS = 500;
const LOAD_MS = 2_000;
/** How the kernel counts processor time (proc(5), `utime`). */
const TICK_MICROS = 10_000;

/** Measures the processor time of a call in the server, and by a profile who takes it. */
export async function benchCallCost(): Promise<Row[]> {
  await using server = await start("./echo_server.ts", ["1"]);
  const rows: Row[] = [];
  for (const [what, toWayRequest] of WAYS) {
    const request = toWayRequest(server.url);
    await requestsPerSecond(server.url, request, { ms: WARM_UP_MS });
    const before = await cpuMicros(server);
    const perSecond = await requestsPerSecond(server.url, request, { ms: LOAD_MS });
    const micros = (await cpuMicros(server) - before) / (perSecond * LOAD_MS / 1_000);
    const shares = await profile(toWayRequest);
    rows.push({
      what: `processor time of a call: ${what}`,
      value: `${Math.round(micros)} µs: ${shares}`,
    });
  }
  return rows;
}

async function cpuMicros({ pid }: Started): Promise<number> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROS;
}

/** Who takes the processor time of a server that answers one kind of request, in percent. */
async function profile(toWayRequest: (url: string) => Uint8Array): Promise<string> {
  await using folder = await createTempFolder();
  const flags = ["-A", "--cpu-prof", "--cpu-prof-dir", folder.path];
  {
    await using server = await start("./echo_server.ts", ["1"], {}, flags);
    const request = toWayRequest(server.url);
    await requestsPerSecond(server.url, request, { ms: WARM_UP_MS + LOAD_MS });
  }
  const [file] = await Array.fromAsync(Deno.readDir(folder.path));
  const text = await Deno.readTextFile(`${folder.path}/${file?.name}`);
  const shares = sharesOf(Profile.parse(JSON.parse(text)));
  const all = [...shares.values()].reduce((sum, share) => sum + share, 0);
  return ["this server", "the MCP SDK", "Deno"]
    .map((owner) => `${owner} ${Math.round(100 * (shares.get(owner) ?? 0) / all)} %`)
    .join(", ");
}

const Profile = z.object({
  nodes: z.array(z.object({
    id: z.number(),
    callFrame: z.object({ functionName: z.string(), url: z.string() }),
    children: z.array(z.number()).default([]),
  })),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

/** The time of the last samples by owner, in microseconds; what is idle is left out. */
function sharesOf({ nodes, samples, timeDeltas }: z.output<typeof Profile>): Map<string, number> {
  const owners = new Map<number, string | undefined>();
  const parents = new Map(
    nodes.flatMap(({ id, children }) => children.map((child) => [child, id])),
  );
  // A node comes after its parent.
  for (const { id, callFrame: { functionName, url } } of nodes) {
    const own = functionName === "(idle)" ? "idle" : ownerOf(url);
    owners.set(id, own ?? owners.get(parents.get(id) ?? NaN));
  }
  const shares = new Map<string, number>();
  let left = 1_000 * LOAD_MS;
  for (let at = samples.length - 1; at >= 0 && left > 0; at--) {
    const owner = owners.get(samples[at] ?? NaN) ?? "Deno";
    const micros = timeDeltas[at] ?? 0;
    left -= micros;
    if (owner !== "idle") shares.set(owner, (shares.get(owner) ?? 0) + micros);
  }
  return shares;
}

/** Whose code a file is; work that it does in Deno or zod counts as its own. */
function ownerOf(url: string): string | undefined {
  if (url.includes("/@modelcontextprotocol/")) return "the MCP SDK";
  return url.includes("/mcp_server/") || url.includes("/prom-client/") ? "this server" : undefined;
}
