import { match, strictEqual } from "node:assert/strict";
import { processesWith, uniqueSleep, untilProcesses } from "../testing/processes.ts";
import { startServer } from "../testing/server_process.ts";

const START_MS = 10_000;

const INITIALIZE = {
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-03-26",
    capabilities: {},
    clientInfo: { name: "test", version: "1.0.0" },
  },
};

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
  });
}

const toRequest = (message: object) => ({ jsonrpc: "2.0", ...message });

function call(id: number, script: string): object {
  const params = { name: "bash-script", arguments: { script } };
  return toRequest({ id, method: "tools/call", params });
}

Deno.test("MCP over HTTP stops one call of a batch and answers the other", async () => {
  await using server = await startServer();
  const opened = await post(server.url, toRequest(INITIALIZE));
  await opened.body?.cancel();
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  const [stopped, kept] = [uniqueSleep(), uniqueSleep()];
  const response = await post(server.url, [
    call(1, `sleep ${stopped}`),
    call(2, `sleep ${kept}; echo done`),
  ], session);
  await untilProcesses(stopped, 1, START_MS);
  await untilProcesses(kept, 1, START_MS);
  const params = { requestId: 1 };
  const cancel = toRequest({ method: "notifications/cancelled", params });
  strictEqual((await post(server.url, cancel, session)).status, 202);
  await untilProcesses(stopped, 0, START_MS);
  await untilProcesses(kept, 1, 0);
  for (const pid of await processesWith(kept)) Deno.kill(pid);
  match(await response.text(), /"stdout":"done\\n".*"id":2/);
});
