import { abortableFetch } from "./abortable_fetch.ts";
import type { CallInit } from "./http_caller.ts";

/** Posts any JSON to the endpoint of MCP, as a client of the revision does. */
export function postMcp(
  url: string,
  message: { readonly method: string; readonly params?: object } | readonly object[],
  init: CallInit & { readonly revision?: "2025-11-25" | "2026-07-28" } = {},
): Promise<Response> {
  const { revision = "2026-07-28", headers, ...rest } = init;
  const isModern = revision === "2026-07-28" && "method" in message;
  const body = "method" in message
    ? { jsonrpc: "2.0", id: 1, ...message, params: { ...message.params, ...toMeta(isModern) } }
    : message;
  return abortableFetch(`${url}/mcp`, {
    ...rest,
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": revision,
      ...(isModern ? toModernHeaders(message) : {}),
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

function toMeta(isModern: boolean): object {
  if (!isModern) return {};
  return {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {
        extensions: { "io.modelcontextprotocol/tasks": {} },
      },
    },
  };
}

function toModernHeaders(
  { method, params = {} }: { readonly method: string; readonly params?: object },
): Record<string, string> {
  const name = "name" in params ? params.name : "taskId" in params ? params.taskId : undefined;
  return { "mcp-method": method, ...(typeof name === "string" ? { "mcp-name": name } : {}) };
}
