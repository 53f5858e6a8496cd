import { match, ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { toAnswer } from "../testing/http_caller.ts";
import { startServer } from "../testing/server_process.ts";

const TOOLS = fileURLToPath(new URL("../testdata/stream_tools", import.meta.url));
const EMBEDDED = fileURLToPath(new URL("../testing/embedded_server.ts", import.meta.url));

const CLIENTS = 120;
const HANG_UPS = 20;
/** The call takes this long, or a little longer: the client disconnects as the answer ends. */
const CALL_MS = 100;
const SPREAD_MS = 30;
const MIB = 1024 * 1024;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The bytes of a call whose answer is an event stream. */
function toCall(path: "/api" | "/mcp", args: object): Uint8Array {
  const body = JSON.stringify(
    path === "/api" ? { tool: "flood", args } : {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "flood", arguments: args, _meta: { progressToken: 1 } },
    },
  );
  const accept = path === "/api" ? "text/event-stream" : "application/json, text/event-stream";
  return encoder.encode(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept: ${accept}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

async function open(url: string, call: Uint8Array): Promise<Deno.TcpConn> {
  const { hostname, port } = new URL(url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  await connection.write(call);
  return connection;
}

Deno.test("a program that embeds the server survives clients that disconnect", async () => {
  const program = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "-A", EMBEDDED, TOOLS],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const url = decoder.decode((await program.stdout.getReader().read()).value).trim();
  const hangUp = async (path: "/api" | "/mcp") => {
    using _connection = await open(url, toCall(path, { messages: 1, pauseMs: CALL_MS }));
    await new Promise((resolve) => setTimeout(resolve, CALL_MS + Math.random() * SPREAD_MS));
  };
  const client = async () => {
    for (let at = 0; at < HANG_UPS; at++) {
      await hangUp(at % 4 === 0 ? "/mcp" : "/api");
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  strictEqual((await toAnswer(await fetch(`${url}/healthz`))).body.text, "ok");
  program.kill("SIGKILL");
  await program.status;
});

Deno.test("an MCP client that reads late gets the last progress and the result, and uses little memory", async () => {
  await using server = await startServer({ args: ["--tools", TOOLS, "--log-level", "error"] });
  using connection = await open(server.url, toCall("/mcp", { messages: 5_000 }));
  await server.logged(/"audit":"end"/);
  let size = 0;
  let text = "";
  const buffer = new Uint8Array(MIB);
  for (let read: number | null = 0; read !== null; read = await connection.read(buffer)) {
    size += read;
    text = (text + decoder.decode(buffer.subarray(0, read))).slice(-20_000);
  }
  match(text, /"result":\{.*"messages":5000/);
  ok(size < 16 * MIB, `${size} bytes`);
});
