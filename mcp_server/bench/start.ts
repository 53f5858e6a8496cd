import { inTurns } from "../../test_support/bench/in_turns.ts";
import type { Row } from "../../test_support/bench/table.ts";
import { freePort } from "../testing/free_port.ts";
import { Caller, toRequest } from "./load.ts";
import { processorMs } from "./processor_time.ts";

const ROUNDS = 7;
/** How long a server may take to listen, and the pause between two attempts to connect. */
const LISTEN_MS = 30_000;
const RETRY_MS = 1;

/** The bytes of the request that a server is to answer, at its URL. */
type Ask = (url: string) => Uint8Array;

const CALL = { tool: "exec-command", args: { commands: [{ command: "true" }] } };

/** How long a server took to its first answer, in milliseconds. */
export interface StartTimes {
  readonly elapsed: number;
  readonly processor: number;
}

/**
 * Compares the time from the start of a process to its first answers with that of a bare server.
 */
export async function benchStart(): Promise<Row[]> {
  const elapsed = ({ elapsed }: StartTimes) => elapsed;
  const [floor = NaN, healthy = NaN, called = NaN, listed = NaN] = await inTurns([
    () => startBare().then(elapsed),
    () => startUntil("../main.ts", toHealthCheck).then(elapsed),
    () => startAndCall().then(elapsed),
    () => startUntil("../main.ts", toListRequest).then(elapsed),
  ], ROUNDS);
  const row = (what: string, time: number): Row => ({
    what: `start to the first ${what} / a bare server's first answer`,
    value: `${time.toFixed(0)} ms`,
    ratio: time / floor,
  });
  return [
    { what: "start to a bare server's first answer", value: `${floor.toFixed(0)} ms` },
    row("answer, to a health check", healthy),
    row("call over the HTTP API", called),
    row("`tools/list` over MCP", listed),
  ];
}

/** Starts a bare server, which answers with the request. */
export function startBare(): Promise<StartTimes> {
  return startUntil("./bare_server.ts", (url) => toRequest(url, "/", CALL));
}

/** Starts the tool server, and calls a tool over the HTTP API. */
export function startAndCall(): Promise<StartTimes> {
  return startUntil("../main.ts", (url) => toRequest(url, "/api", CALL));
}

function toHealthCheck(url: string): Uint8Array {
  return new TextEncoder().encode(`GET /healthz HTTP/1.1\r\nhost: ${new URL(url).host}\r\n\r\n`);
}

function toListRequest(url: string): Uint8Array {
  return toRequest(url, "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" }, {
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
  });
}

/** Starts a server, and sends it one request at once. */
async function startUntil(file: string, ask: Ask): Promise<StartTimes> {
  const path = new URL(file, import.meta.url).pathname;
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", path],
    env: { MCP_PORT: `${port}` },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    using caller = await connect(url);
    await caller.call(ask(url));
    return { elapsed: performance.now() - startedAt, processor: processorMs(child.pid) };
  } finally {
    child.kill("SIGTERM");
    await child.status;
  }
}

/** Connects as soon as the server listens. */
async function connect(url: string): Promise<Caller> {
  const deadline = performance.now() + LISTEN_MS;
  for (;;) {
    try {
      return await Caller.connect(url);
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
