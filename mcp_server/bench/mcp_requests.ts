import { toRequest } from "./load.ts";

const CALL = { name: "echo-0", arguments: { text: "hello" } };
const ACCEPT = { accept: "application/json, text/event-stream" };

/** A `tools/call` of revision 2026-07-28; `more` are further parameters. */
export function toMcpRequest(url: string, more: object = {}): Uint8Array {
  const params = {
    ...CALL,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
    ...more,
  };
  return toRequest(url, "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params }, {
    ...ACCEPT,
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "echo-0",
  });
}

/** The same with a parameter that the SDK ignores, and the fast path leaves to it. */
export function toSdkRequest(url: string): Uint8Array {
  return toMcpRequest(url, { "not-plain": true });
}

/** A `tools/call` of revision 2025-11-25. */
export function toLegacyRequest(url: string): Uint8Array {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: CALL };
  return toRequest(url, "/mcp", body, { ...ACCEPT, "mcp-protocol-version": "2025-11-25" });
}
