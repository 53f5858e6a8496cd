import type { RecordedRequest } from "../../../mcp_server/testing/recorded_calls.ts";

/** The token of the server whose answers are recorded. */
export const TOKEN = "token-of-version-0.1.0";

const AUTHORIZED = { authorization: `Bearer ${TOKEN}` };

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "old", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** What clients of 0.1.0 send: each tool, each way to call it, and what is refused. */
export const REQUESTS: readonly RecordedRequest[] = [
  { method: "GET", path: "/healthz" },
  { method: "GET", path: "/api", headers: AUTHORIZED },
  { method: "GET", path: "/nothing", headers: AUTHORIZED },
  { method: "POST", path: "/api", body: { tool: "exec-command", args: {} } },
  { method: "POST", path: "/api", headers: AUTHORIZED, body: "not JSON" },
  {
    method: "POST",
    path: "/api",
    headers: { ...AUTHORIZED, "content-type": "text/plain" },
    body: "{}",
  },
  api("no-such-tool", {}),
  api("exec-command", {}),
  api("exec-command", { commands: [{ command: "true" }], more: 1 }),
  api("exec-command", { commands: [{ command: "echo one; echo two >&2; exit 3" }] }),
  api("exec-command", {
    commands: [{ command: "pwd; echo $A", cwd: "{folder}", env: { A: "b" } }, { command: "false" }],
  }),
  api("exec-command", { commands: [{ command: "echo on; sleep 60" }], timeoutMs: 300 }),
  api("exec-command", { commands: [{ command: "kill -9 $$" }] }),
  api("exec-command", {
    commands: [{ command: "head -c 9000 /dev/zero | tr '\\0' a" }],
    maxOutputBytes: 1_000,
  }),
  api("exec-command", { commands: [{ command: "true", cwd: "{folder}/missing" }] }),
  api("bash-script", { script: "read line; echo got $line", stdin: "a line\n" }),
  api("java-script", { script: "console.log(1 + 1)" }),
  api("python-script", { script: "print(1 + 1)" }),
  api("write-file", { path: "{folder}/a/b.txt", content: "Grüße\n", createParents: true }),
  api("write-file", { path: "{folder}/c.txt", content: "/w==", encoding: "base64", chmod: "600" }),
  api("write-file", { path: "{folder}/missing/c.txt", content: "" }),
  api("read-file", { path: "{folder}/a/b.txt" }),
  api("read-file", { path: "{folder}/a/b.txt", offset: 2, limit: 3 }),
  api("read-file", { path: "{folder}/a/b.txt", offset: 3 }),
  api("read-file", { path: "{folder}/c.txt", encoding: "base64" }),
  api("read-file", { path: "{folder}/c.txt" }),
  api("read-file", { path: "{folder}" }),
  api("read-file", { path: "{folder}/none" }),
  api("sql-query", {
    batches: [{
      queries: [
        "CREATE TABLE city (name TEXT PRIMARY KEY, people INTEGER)",
        "INSERT INTO city VALUES (?1, ?2)",
        "INSERT INTO city VALUES ('Bern', 1)",
        "SELECT name, people, people AS name FROM city",
        "SELEC",
      ],
      params: [[], ["Bern", "9007199254740993"]],
    }, { database: "logs", queries: ["SELECT x'ff' AS bytes, NULL AS nothing"] }],
  }),
  api("sql-query", { batches: [{ queries: ["DELETE FROM city"], readOnly: true }], maxRows: 1 }),
  api("sql-query", { batches: [{ queries: ["BEGIN", "DELETE FROM city"] }] }),
  api("ssh-exec", {
    connections: [{ host: "127.0.0.1:1", username: "root", commands: ["id", "id"] }],
  }),
  api("disk-usage", { path: "/proc" }),
  api("disk-usage", { path: "/no/such/folder" }),
  {
    ...api("exec-command", { commands: [{ command: "echo on" }] }),
    headers: { ...AUTHORIZED, accept: "text/event-stream" },
  },
  mcp("2025-06-18", "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "old", version: "1" },
  }),
  mcp("2025-06-18", "ping", {}),
  mcp("2025-06-18", "tools/call", {
    name: "exec-command",
    arguments: { commands: [{ command: "echo mcp" }] },
  }),
  mcp("2025-06-18", "tools/call", { name: "exec-command", arguments: {} }),
  mcp("2025-06-18", "tools/call", { name: "no-such-tool", arguments: {} }),
  mcp("2026-07-28", "server/discover", {}),
  mcp("2026-07-28", "tools/call", { name: "read-file", arguments: { path: "{folder}/none" } }),
];

function api(tool: string, args: object): RecordedRequest {
  return { method: "POST", path: "/api", headers: AUTHORIZED, body: { tool, args } };
}

function mcp(revision: string, method: string, params: object): RecordedRequest {
  const isModern = revision === "2026-07-28";
  const name: Record<string, string> = "name" in params ? { "mcp-name": `${params.name}` } : {};
  return {
    method: "POST",
    path: "/mcp",
    headers: {
      ...AUTHORIZED,
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": revision,
      ...(isModern ? { "mcp-method": method, ...name } : {}),
    },
    body: {
      jsonrpc: "2.0",
      id: 1,
      method,
      params: isModern ? { ...params, _meta: META } : params,
    },
  };
}
