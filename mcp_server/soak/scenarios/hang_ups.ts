import { expect } from "../checks.ts";
import { bearerOf } from "../../testing/callers_file.ts";
import { connectRaw, rawCall } from "../clients/raw_client.ts";
import type { CallSite } from "../tally.ts";
import { shell, startJob } from "./api_job.ts";
import { pause } from "../waiting.ts";
import type { Scenario, ScenarioParts, ScenarioRun } from "./scenario.ts";

const SITE: CallSite = { transport: "HTTP API, hung up", server: "http" };
/** How much later than its time limit a server may close a connection on a busy machine. */
const LATE_MS = 30_000;

/** Clients that disconnect at any point, or that are too slow. */
export function hangUpScenarios(parts: ScenarioParts): Scenario[] {
  const runs = {
    inRequest,
    inCall,
    inResponse,
    inEvents,
    inJobEvents,
    slowHeaders,
    slowBody,
    slowReader,
  };
  return Object.entries(runs).map(([name, run]) => ({
    name: `hang-up, ${name}`,
    run: async (one) => {
      await run(parts, one);
      parts.tally.event("hang-ups and slow clients");
    },
  }));
}

function endlessCall({ services: { endless } }: ScenarioParts, id: number): object {
  return shellCall(`echo begun; ${endless}${id} & ${endless}${id}`);
}

function shellCall(command: string, more: object = {}): object {
  const { tool, args } = shell(command, more);
  return { tool, args };
}

async function inRequest(parts: ScenarioParts, { id, random }: ScenarioRun): Promise<void> {
  using client = await connectRaw(parts.api.url);
  const text = rawCall(parts.api.url, endlessCall(parts, id));
  await client.send(text.slice(0, 1 + random.below(text.length - 1)));
  await pause(random.below(100));
}

async function inCall(parts: ScenarioParts, { id, random }: ScenarioRun): Promise<void> {
  using client = await connectRaw(parts.api.url);
  await client.send(rawCall(parts.api.url, endlessCall(parts, id)));
  await pause(random.below(400));
  parts.tally.cancelled(SITE);
}

async function inResponse({ api, tally }: ScenarioParts, { random }: ScenarioRun): Promise<void> {
  using client = await connectRaw(api.url);
  await client.send(rawCall(api.url, shellCall("seq 300000", { maxOutputBytes: 4_000_000 })));
  const text = await client.read(1 + random.below(100_000));
  expect(text.startsWith("HTTP/1.1 200") || text.startsWith("HTTP/1.1 429"), "an answer", text);
  tally.cancelled(SITE);
}

async function inEvents(parts: ScenarioParts, { id, random }: ScenarioRun): Promise<void> {
  const { api, tally } = parts;
  using client = await connectRaw(api.url);
  const accept = { accept: "text/event-stream" };
  await client.send(rawCall(api.url, endlessCall(parts, id), accept));
  // No more than the head of the response, which is all that comes for sure.
  await client.read(1 + random.below(100));
  tally.cancelled(SITE);
}

/** The job goes on, and is then cancelled. */
async function inJobEvents(parts: ScenarioParts, { id }: ScenarioRun): Promise<void> {
  const { api, tally } = parts;
  const job = await startJob(api, shell(`echo begun; ${parts.services.endless}${id}`));
  {
    using client = await connectRaw(api.url);
    const headers = `host: ${new URL(api.url).host}\r\nauthorization: ${
      bearerOf("worker").authorization
    }\r\n`;
    await client.send(`GET ${job.path}/events HTTP/1.1\r\n${headers}\r\n`);
    const text = await client.read(12);
    expect(text.startsWith("HTTP/1.1 200"), "events", text);
  }
  const { state } = await job.leaves(["queued"]);
  expect(state === "running", "a job that goes on", state);
  await job.ask("/cancel", { method: "POST" });
  await job.leaves(["running"]);
  tally.cancelled({ transport: "jobs of the HTTP API", server: "http" });
}

async function slowHeaders(parts: ScenarioParts, { random }: ScenarioRun): Promise<void> {
  const text = rawCall(parts.api.url, {});
  await untilClosed(parts, text.slice(0, 1 + random.below(30)));
  parts.tally.rejected("too slow in sending headers");
}

async function slowBody(parts: ScenarioParts): Promise<void> {
  const text = rawCall(parts.api.url, shellCall("echo never"));
  await untilClosed(parts, text.slice(0, -5));
  parts.tally.rejected("too slow in sending a body");
}

/**
 * The server must close the connection in time, with or without an answer; in a flood of connections
 * it closes one without a whole request earlier.
 */
async function untilClosed(
  { api, server, pressure }: ScenarioParts,
  text: string,
): Promise<void> {
  const floods = pressure.watch();
  // Before the server's time begins: a client that is slow to see its connection is not early.
  const begunAt = performance.now();
  using client = await connectRaw(api.url);
  await client.send(text);
  await client.read(Infinity);
  const ms = performance.now() - begunAt;
  const { clientMs } = server;
  const isEarly = ms <= clientMs / 2 && !floods.hasBeen("connections");
  expect(!isEarly && ms < clientMs + LATE_MS, "a closed connection in time", ms);
}

/** A client that reads nothing for longer than the server waits. */
async function slowReader({ api, server, tally }: ScenarioParts): Promise<void> {
  using client = await connectRaw(api.url);
  const call = shellCall("head -c 12000000 /dev/zero | tr '\\0' x", { maxOutputBytes: 12_000_000 });
  await client.send(rawCall(api.url, call, { connection: "close" }));
  const text = await client.read(12);
  expect(/^HTTP\/1.1 (200|429)/.test(text), "an answer", text);
  await pause(1.2 * server.clientMs);
  const rest = await client.read(Infinity);
  tally.cancelled(SITE);
  if (rest.length < 12_000_000) tally.rejected("too slow in reading an answer");
}
