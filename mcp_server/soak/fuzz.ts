import fc from "fast-check";
import { startServer } from "../testing/server_process.ts";
import { findByMark } from "../testing/test_runner.ts";
import { fuzzedArguments, type FuzzedCall } from "./fuzz_arguments.ts";
import type { Finding } from "./report.ts";
import { startServices } from "./services.ts";

/** How much is sent, and from which seed. */
export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  /** Arguments of the server. @default {none} */
  readonly args?: readonly string[];
  /** Further calls that may be drawn. @default {none} */
  readonly further?: readonly FuzzedCall[];
}

/** An answer that means that the server or a tool has crashed. */
const CRASHED = 500;
const ANSWER_MS = 20_000;
const SETTLE_MS = 10_000;

/**
 * Starts a server and sends it bodies, headers, arguments and bytes that no client would send. The
 * server must answer each of them or close the connection, and never crash. The message of a
 * failure has the smallest example that fast-check finds, and the seed.
 */
export async function fuzz(options: FuzzOptions): Promise<Finding[]> {
  const { requests, seed, args = [], further = [] } = options;
  await using services = await startServices();
  await using server = await startServer({ env: services.env, args });
  const runs = { numRuns: Math.max(1, Math.floor(requests / 4)), seed };
  const failures: string[] = [];
  const check: Check = async (property) => {
    const result = await fc.check(property, runs);
    if (result.failed) failures.push(await fc.asyncDefaultReportMessage(result) ?? "no message");
  };
  await sendBodies(server.url, check);
  await sendHeaders(server.url, check);
  const calls = fc.oneof(
    fuzzedArguments(services.files),
    ...further.map((call) => fc.constant(call)),
  );
  await sendCalls(server.url, calls, check);
  await check(fc.asyncProperty(rawRequest(), (bytes) => sendRaw(server.url, bytes)));
  const alive = await isAlive(server.url);
  const code = await server.stop();
  const deadline = performance.now() + SETTLE_MS;
  while (findByMark(services.mark).length > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  for (const failure of failures) console.log(failure);
  const unhandled = server.stderr().match(/"(unhandled rejection|uncaught error)"/g)?.length ?? 0;
  const left = findByMark(services.mark).length;
  const files = [...Deno.readDirSync(services.temp)].length;
  return [
    { what: "requests", value: `${4 * runs.numRuns}, --seed ${seed}`, good: true },
    { what: "properties that failed", value: `${failures.length}`, good: failures.length === 0 },
    { what: "answers at the end", value: `${alive}`, good: alive },
    { what: "exit code", value: `${code}`, good: code === 0 },
    { what: "unhandled rejections", value: `${unhandled}`, good: unhandled === 0 },
    { what: "processes left", value: `${left}`, good: left === 0 },
    { what: "temporary files left", value: `${files}`, good: files === 0 },
  ];
}

type Check = <Drawn>(property: fc.IAsyncProperty<Drawn>) => Promise<void>;

const PATH = fc.constantFrom("/api", "/mcp");
const BODY = fc.oneof(fc.json(), fc.string({ unit: "binary" }), rpcMessage().map(toText));
const HEADER = fc.tuple(
  fc.constantFrom("accept", "content-type", "mcp-protocol-version", "mcp-name", "mcp-session-id"),
  fc.oneof(
    fc.constantFrom("application/json", "text/event-stream", "*/*", "2026-07-28", "2025-11-25"),
    fc.string({ maxLength: 200 }).map((text) => text.replaceAll(/[^\x20-\x7e]/g, "")),
  ),
);

function sendBodies(url: string, check: Check): Promise<void> {
  return check(fc.asyncProperty(PATH, BODY, (path, body) => isAnswered(url + path, body)));
}

function sendHeaders(url: string, check: Check): Promise<void> {
  return check(fc.asyncProperty(PATH, fc.array(HEADER), BODY, (path, headers, body) => {
    return isAnswered(url + path, body, headers);
  }));
}

function sendCalls(url: string, calls: fc.Arbitrary<FuzzedCall>, check: Check): Promise<void> {
  return check(fc.asyncProperty(calls, (call) => isAnswered(`${url}/api`, toText(call))));
}

const JSON_HEADERS = {
  "content-type": "application/json",
  "accept": "application/json, text/event-stream",
};

async function isAnswered(
  url: string,
  body: string,
  further: readonly (readonly [string, string])[] = [],
): Promise<boolean> {
  const headers = new Headers(JSON_HEADERS);
  for (const [name, value] of further) headers.set(name, value);
  const signal = AbortSignal.timeout(ANSWER_MS);
  const response = await fetch(url, { method: "POST", headers, body, signal });
  await response.text();
  return response.status !== CRASHED;
}

function toText(value: unknown): string {
  return JSON.stringify(value);
}

function rpcMessage(): fc.Arbitrary<unknown> {
  return fc.record({
    jsonrpc: fc.oneof({ arbitrary: fc.constant("2.0"), weight: 5 }, {
      arbitrary: fc.jsonValue(),
      weight: 1,
    }),
    id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
    method: fc.constantFrom(
      "tools/list",
      "tools/call",
      "initialize",
      "ping",
      "server/discover",
      "",
    ),
    params: fc.oneof(fc.jsonValue(), fc.record({ name: fc.string(), arguments: fc.jsonValue() })),
  }, { requiredKeys: [] });
}

/** The bytes of a request, with some changed, removed and added. */
function rawRequest(): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  const text = "POST /api HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" +
    'Content-Length: 11\r\n\r\n{"tool": 1}';
  const change = fc.record({ at: fc.nat(text.length - 1), byte: fc.integer({ min: 0, max: 255 }) });
  return fc.tuple(fc.array(change, { maxLength: 8 }), fc.nat(text.length), fc.uint8Array())
    .map(([changes, length, more]) => {
      const bytes = new TextEncoder().encode(text);
      for (const { at, byte } of changes) bytes[at] = byte;
      return new Uint8Array([...bytes.subarray(0, length), ...more]);
    });
}

/** Sends bytes and closes the writing side; the server must answer or disconnect. */
async function sendRaw(url: string, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const { hostname, port } = new URL(url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const timer = setTimeout(() => connection.close(), ANSWER_MS);
  try {
    for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
    await connection.closeWrite();
    const answer = new Uint8Array(65_536);
    const size = await connection.read(answer) ?? 0;
    return !new TextDecoder().decode(answer.subarray(0, size)).startsWith("HTTP/1.1 500");
  } catch (error) {
    if (error instanceof Deno.errors.BadResource) return false;
    return error instanceof Deno.errors.ConnectionReset ||
      error instanceof Deno.errors.BrokenPipe ||
      error instanceof Deno.errors.NotConnected;
  } finally {
    clearTimeout(timer);
  }
}

async function isAlive(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS) });
    return (await response.text()).includes("ok");
  } catch {
    return false;
  }
}
