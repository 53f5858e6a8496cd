import { isJsonObject, type JsonObject } from "../domain/json.ts";
import type { PeerClient, PeerSdk } from "../testing/mcp_peer.ts";
import { serverCommand, type ServerOptions } from "../testing/server_process.ts";
import { V1_SDK } from "../testing/v1_client.ts";
import { v2Sdk } from "../testing/v2_client.ts";

/** A way to call a server: a client over a transport. */
export interface Way extends AsyncDisposable {
  readonly name: string;
  /** Calls a tool; resolves with its output, and rejects if there is none. */
  call(tool: string, args: object, signal: AbortSignal): Promise<JsonObject>;
  /** Reconnects, whatever is running; absent if each call has its own connection. */
  reconnect?(): Promise<void>;
  /** How often `reconnect()` has closed the connection, which ends the running calls. */
  readonly closed: number;
}

/**
 * Connects in every way: the HTTP API, its event streams, and MCP over HTTP and stdio in both eras.
 */
export async function openWays(url: string, stdio: ServerOptions): Promise<Way[]> {
  const { command, args, env } = serverCommand({ ...stdio, args: ["--stdio"] });
  const program = { command, args, env: { ...Deno.env.toObject(), ...env } };
  const overHttp = (sdk: PeerSdk) => () => sdk.connectHttp(new URL(`${url}/mcp`));
  const overStdio = (sdk: PeerSdk) => () => sdk.connectStdio({ ...program, stderr: "ignore" });
  return [
    { name: "HTTP API", call: (...call) => callApi(url, ...call), ...NOTHING_TO_CLOSE },
    { name: "event stream", call: (...call) => callForEvents(url, ...call), ...NOTHING_TO_CLOSE },
    await mcpWay("MCP 2025, HTTP, v1 client", overHttp(V1_SDK)),
    await mcpWay("MCP 2025, HTTP, v2 client", overHttp(v2Sdk("legacy"))),
    await mcpWay("MCP 2026, HTTP", overHttp(v2Sdk("2026-07-28"))),
    await mcpWay("MCP 2025, stdio", overStdio(V1_SDK)),
    await mcpWay("MCP 2026, stdio", overStdio(v2Sdk("2026-07-28"))),
  ];
}

const NOTHING_TO_CLOSE = { closed: 0, [Symbol.asyncDispose]: () => Promise.resolve() };

async function callApi(
  url: string,
  tool: string,
  args: object,
  signal: AbortSignal,
): Promise<JsonObject> {
  const response = await post(url, { tool, args }, { signal });
  const text = await response.text();
  if (!response.ok) throw new Error(`Cannot call "${tool}": ${response.status} ${text}`);
  return toOutput(JSON.parse(text));
}

async function callForEvents(
  url: string,
  tool: string,
  args: object,
  signal: AbortSignal,
): Promise<JsonObject> {
  const headers = { accept: "text/event-stream" };
  const response = await post(url, { tool, args }, { signal, headers });
  const events = (await response.text()).split("\n\n");
  const last = events.findLast((event) => event !== "") ?? "";
  const [, name, data = ""] = /^event: (\w+)\ndata: (.*)$/s.exec(last) ?? [];
  if (name !== "result") throw new Error(`Cannot call "${tool}": ${last.slice(0, 500)}`);
  return toOutput(JSON.parse(data));
}

function post(url: string, body: object, init: RequestInit): Promise<Response> {
  const headers = { "content-type": "application/json", ...init.headers };
  return fetch(`${url}/api`, { method: "POST", ...init, headers, body: JSON.stringify(body) });
}

async function mcpWay(name: string, connect: () => Promise<PeerClient>): Promise<Way> {
  let client = await connect();
  let connecting: Promise<void> | undefined;
  let closed = 0;
  const connectAnew = async () => {
    closed++;
    await client.close();
    client = await connect();
    connecting = undefined;
  };
  return {
    name,
    get closed() {
      return closed;
    },
    call: async (tool, args, signal) => {
      await connecting;
      const { isError, structuredContent, content } = await client.callTool(tool, args, { signal });
      if (isError) throw new Error(`Cannot call "${tool}": ${JSON.stringify(content)}`);
      return toOutput(structuredContent);
    },
    reconnect: () => connecting ??= connectAnew(),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function toOutput(value: unknown): JsonObject {
  if (isJsonObject(value)) return value;
  throw new TypeError(`Cannot use the output: it is not an object, ${JSON.stringify(value)}`);
}
