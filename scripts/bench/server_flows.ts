import { startServer } from "../../mcp_server/testing/server_process.ts";
import { setTimeout as delay } from "node:timers/promises";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import type { Flow } from "./mock_flows.ts";

/**
 * How long each server stays up, in ms, with requests or without: what its timers and the rest of
 * its start run then counts equally in both, and only the requests' own lines are left.
 */
const UP_MS = 3000;

/** Sends requests, one after another, to a server of its own and stops it after {@link UP_MS}. */
function serverFlow(send: (url: string, folder: string) => Promise<Response>): Flow {
  return async (requests, coverageFolder) => {
    await using folder = await createTempFolder();
    await Deno.writeTextFile(`${folder.path}/note.txt`, "one line\n");
    await using server = await startServer({
      env: { DENO_COVERAGE_DIR: coverageFolder, XDG_STATE_HOME: folder.path },
    });
    await loadAll(server.url);
    const stayedUp = delay(UP_MS);
    for (let sent = 0; sent < requests; sent++) {
      const response = await send(server.url, folder.path);
      const text = await response.text();
      if (!response.ok) throw new Error(`Cannot measure: ${response.status} ${text}`);
    }
    await stayedUp;
    await server.stop("SIGTERM");
  };
}

/** Lists the tools over MCP, for which both are loaded: else the first request would seem to do that. */
async function loadAll(url: string): Promise<void> {
  const response = await post(`${url}/mcp`, { jsonrpc: "2.0", id: 0, method: "tools/list" }, MCP);
  await response.text();
}

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

const MCP = {
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": "2025-11-25",
};
const TRUE = { commands: [{ command: "true" }] };

/** The flows of the tool server. */
export const SERVER_FLOWS: Readonly<Record<string, Flow>> = {
  "exec-command over MCP": serverFlow((url) =>
    post(`${url}/mcp`, {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "exec-command", arguments: TRUE },
    }, MCP)
  ),
  "exec-command as a job": serverFlow((url) =>
    post(`${url}/api`, { tool: "exec-command", args: TRUE }, { prefer: "respond-async" })
  ),
  "read-file over HTTP": serverFlow((url, folder) =>
    post(`${url}/api`, { tool: "read-file", args: { path: `${folder}/note.txt` } })
  ),
};
