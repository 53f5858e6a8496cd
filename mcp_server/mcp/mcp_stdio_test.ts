import * as fc from "fast-check";
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { processorMs } from "../bench/processor_time.ts";
import { connectOverStdio } from "../testing/mcp_peer.ts";
import { uniqueSleep, untilProcesses } from "../testing/processes.ts";
import { startStdioSession, type StdioSession } from "../testing/stdio_session.ts";
import { v2Sdk } from "../testing/v2_client.ts";
import { readLines } from "./mcp_stdio.ts";

const TOOLS = fileURLToPath(new URL("../testdata/stdio_tools", import.meta.url));

/** The server's guarantee, and slack for a machine that is busy with other tests. */
const STOP_MS = 4_000 + 4_000;
const START_MS = 30_000;

const CLIENT = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1.0.0" },
};

function call(id: number, name: string, args: object = {}): object {
  return { id, method: "tools/call", params: { name, arguments: args } };
}

/** Opens the session, and throws away the server's answer. */
async function initialize(session: StdioSession): Promise<void> {
  await session.send({ id: 0, method: "initialize", params: CLIENT });
  await session.nextLine();
  await session.send({ method: "notifications/initialized" });
}

Deno.test("MCP over stdio writes nothing but the protocol, whatever tools print", async () => {
  await using session = startStdioSession({ args: ["--tools", TOOLS] });
  await initialize(session);
  await session.send(call(1, "noisy"));
  const printed = { printed: true };
  deepStrictEqual(JSON.parse(await session.nextLine() ?? ""), {
    jsonrpc: "2.0",
    id: 1,
    result: {
      content: [{ type: "text", text: JSON.stringify(printed) }],
      structuredContent: printed,
    },
  });
  strictEqual(await session.end(), 0);
  strictEqual(await session.nextLine(), undefined);
});

Deno.test("MCP over stdio skips lines that are not JSON-RPC", async () => {
  await using session = startStdioSession();
  await initialize(session);
  for (const line of ["", "{", "null", "[]", '{"id":1}']) await session.send(line);
  await session.send({ id: 1, method: "ping" });
  deepStrictEqual(JSON.parse(await session.nextLine() ?? ""), {
    jsonrpc: "2.0",
    id: 1,
    result: {},
  });
});

Deno.test("MCP over stdio answers requests that are not as JSON-RPC and MCP say with an error", async () => {
  await using session = startStdioSession();
  await initialize(session);
  const wrong = [{ params: [] }, { params: 5 }, { params: { _meta: 1 } }, { extra: true }];
  for (const [id, members] of wrong.entries()) {
    await session.send({ id, method: "tools/list", ...members });
    const { error, ...rest } = JSON.parse(await session.nextLine() ?? "");
    deepStrictEqual([rest, error.code], [{ jsonrpc: "2.0", id }, -32_600]);
    match(error.message, /^Cannot read the request: /);
  }
  strictEqual(await session.end(), 0);
});

Deno.test("MCP over stdio ends with its calls and their processes at the end of input", async () => {
  const sleep = uniqueSleep();
  await using session = startStdioSession();
  await initialize(session);
  await session.send(call(1, "bash-script", { script: `trap "" TERM; sleep ${sleep} & wait` }));
  await untilProcesses(sleep, 1, START_MS);
  const [code] = await Promise.all([session.end(), untilProcesses(sleep, 0, STOP_MS)]);
  strictEqual(code, 0);
});

Deno.test("MCP over stdio answers a line that is too long with an error, and continues", async () => {
  await using session = startStdioSession({ args: ["--max-body-bytes", "2048"] });
  await initialize(session);
  await session.send({ id: 1, method: "ping", params: { _meta: { text: "x".repeat(3_000) } } });
  await session.send("y".repeat(1_000_000));
  await session.send({ id: 2, method: "ping" });
  const message = "Cannot read a message of more than 2048 bytes: it was skipped; " +
    "send less at once, or raise MCP_MAX_BODY_BYTES";
  const error = { jsonrpc: "2.0", id: null, error: { code: -32_600, message } };
  for (const expected of [error, error, { jsonrpc: "2.0", id: 2, result: {} }]) {
    deepStrictEqual(JSON.parse(await session.nextLine() ?? ""), expected);
  }
  strictEqual(await session.end(), 0);
});

for (const revision of ["legacy", "2026-07-28"] as const) {
  Deno.test(`MCP over stdio answers what is too long for the SDK's client with an error (${revision})`, async () => {
    await using folder = await createTempFolder();
    const path = `${folder.path}/quotes.json`;
    await Deno.writeTextFile(path, '"'.repeat(2_500_000));
    await using peer = await connectOverStdio(v2Sdk(revision), {});
    const { isError, content } = await peer.callTool("read-file", { path, limit: 2_500_000 });
    const text = content[0]?.type === "text" ? content[0].text : "";
    strictEqual(isError, true);
    match(text, /^Cannot answer over stdio: the message has \d{8} bytes, .* ask for less at once/);
    const part = await peer.callTool("read-file", { path, limit: 1_000_000 });
    deepStrictEqual(part.structuredContent, {
      content: '"'.repeat(1_000_000),
      size: 2_500_000,
      nextOffset: 1_000_000,
    });
    deepStrictEqual(peer.faults, []);
  });
}

Deno.test("MCP over stdio reads a message of 32 MB in a time that grows only with its length", async () => {
  await using session = startStdioSession({ args: ["--max-body-bytes", "100000000"] });
  await initialize(session);
  const costOf = async (id: number, length: number) => {
    const before = processorMs(session.pid);
    await session.send({ id, method: "ping", params: { _meta: { text: "x".repeat(length) } } });
    const answer = JSON.parse(await session.nextLine() ?? "");
    deepStrictEqual(answer, { jsonrpc: "2.0", id, result: {} });
    return processorMs(session.pid) - before;
  };
  await costOf(1, 4_000_000);
  const [shorts, longs]: [number[], number[]] = [[], []];
  for (let id = 2; id < 8; id += 2) {
    shorts.push(await costOf(id, 4_000_000));
    longs.push(await costOf(id + 1, 32_000_000));
  }
  // Eight times the length: eight times the work, or 64 times if each piece were read anew.
  const [short, long] = [Math.min(...shorts), Math.min(...longs)];
  ok(long < 24 * short, `${short} ms of the processor, then ${long} ms`);
});

/** The lines of a text that comes in chunks of a length. */
async function linesOf(text: string, size: number, maxBytes = Infinity, onTooLong = () => {}) {
  const bytes = new TextEncoder().encode(text);
  const chunks = (async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  })();
  const lines = await Array.fromAsync(readLines(chunks, { maxBytes, onTooLong }));
  return lines.map(String);
}

Deno.test("readLines() yields the same lines wherever the chunks are cut", async () => {
  const text = fc.string({ unit: fc.constantFrom("a", "€", "\n", "\r") });
  await fc.assert(fc.asyncProperty(text, fc.integer({ min: 1, max: 8 }), async (whole, size) => {
    const lines = whole.split("\n").slice(0, -1).map((line) => `${line}\n`);
    deepStrictEqual(await linesOf(whole, size), lines);
  }));
});

Deno.test("readLines() skips a line that is too long, and says so once", async () => {
  for (const size of [1, 3, 100]) {
    let count = 0;
    const lines = await linesOf("abc\nabcdefgh\n\nx\n", size, 3, () => count++);
    deepStrictEqual(lines, ["abc\n", "\n", "x\n"]);
    strictEqual(count, 1);
  }
});
