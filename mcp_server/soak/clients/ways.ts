import type { JsonObject } from "../../shared/json.ts";
import { parseEvents } from "../../testing/jobs_server.ts";
import { postMcp } from "../../testing/mcp_request.ts";
import { bearerOf } from "../../testing/callers_file.ts";
import { V1_SDK } from "../../testing/v1_client.ts";
import { v2Sdk } from "../../testing/v2_client.ts";
import type { ApiClient } from "./api_client.ts";
import { connectedWay, overHttp, overStdio } from "./mcp_ways.ts";
import type { StdioServers } from "../server/stdio_servers.ts";
import { CallRefused, toOutput, type Way, type WayOptions } from "./way.ts";

/**
 * Connects in every way: the HTTP API, its event streams, and MCP over HTTP and stdio in both eras,
 * and in batches.
 */
export function openWays(api: ApiClient, stdio: StdioServers): readonly [Way, ...Way[]] {
  const http = (sdk: typeof V1_SDK) => overHttp(sdk, api.url);
  return [
    plainWay("HTTP API", (tool, args, options) => callApi(api, { tool, args }, options)),
    plainWay("HTTP API, events", (tool, args, options) => {
      return callForEvents(api, { tool, args }, options);
    }),
    plainWay("MCP 2025, HTTP, batch", (tool, args, options) => {
      return callInBatch(api.url, { tool, args }, options);
    }),
    connectedWay("MCP 2025, HTTP, v1 client", http(V1_SDK)),
    connectedWay("MCP 2025, HTTP, v2 client", http(v2Sdk("legacy"))),
    connectedWay("MCP 2026, HTTP", http(v2Sdk("2026-07-28"))),
    connectedWay("MCP 2025, stdio", overStdio(V1_SDK, stdio), "stdio"),
    connectedWay("MCP 2026, stdio", overStdio(v2Sdk("2026-07-28"), stdio), "stdio"),
  ];
}

/** A call as the HTTP API takes it. */
interface ApiCall {
  readonly tool: string;
  readonly args: object;
}

function plainWay(transport: string, call: Way["call"]): Way {
  const nothingToClose = { closed: 0, [Symbol.asyncDispose]: () => Promise.resolve() };
  return { transport, server: "http", call, ...nothingToClose };
}

async function callApi(
  api: ApiClient,
  call: ApiCall,
  { signal, caller }: WayOptions,
): Promise<JsonObject> {
  const { status, body } = await api.post(call, { signal, caller });
  if (status !== 200) throw new CallRefused(JSON.stringify(body), String(body.code));
  return toOutput(body);
}

async function callForEvents(
  api: ApiClient,
  call: ApiCall,
  { signal, caller }: WayOptions,
): Promise<JsonObject> {
  const response = await api.send("/api", {
    method: "POST",
    headers: { accept: "text/event-stream", "content-type": "application/json" },
    body: JSON.stringify(call),
    caller,
    signal,
  });
  const text = await response.text();
  const last = response.ok ? parseEvents(text).at(-1) : undefined;
  if (last?.event === "result") return toOutput(last.data);
  const problem = last?.data ?? JSON.parse(text);
  throw new CallRefused(JSON.stringify(problem), String(problem.code));
}

/** The batch has a list of tools, too; the answers may come in any order. */
async function callInBatch(
  url: string,
  { tool, args }: ApiCall,
  { signal, caller }: WayOptions,
): Promise<JsonObject> {
  const batch = [
    { jsonrpc: "2.0", id: 0, method: "tools/list" },
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: args } },
  ];
  const init = { headers: bearerOf(caller), revision: "2025-11-25", signal } as const;
  const response = await postMcp(url, batch, init);
  const text = await response.text();
  if (!response.ok) throw new CallRefused(text, String(JSON.parse(text).code));
  const messages: { id?: number; result?: JsonObject; error?: JsonObject }[] = text.startsWith("[")
    ? JSON.parse(text)
    : [...text.matchAll(/^data: ([{[].*)$/gm)].flatMap(([, data = ""]) => JSON.parse(data));
  const [list, answer] = [0, 1].map((id) => messages.find((message) => message.id === id));
  if (!Array.isArray(list?.result?.tools)) throw new TypeError(`Cannot see the list: ${text}`);
  if (answer?.result === undefined) throw new CallRefused(JSON.stringify(answer?.error));
  const { isError, content, structuredContent } = answer.result;
  if (isError === true) throw new CallRefused(JSON.stringify(content));
  return toOutput(structuredContent);
}
