import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { postMcp } from "./testing/mcp_request.ts";
import { bearer, type OAuthServer, startOAuthServer } from "./testing/oauth_server.ts";

/** The scopes of a token, from none to all. */
const POWERS = ["openid", "tools:read", "tools:write", "tools:exec", "admin"];
const METADATA = "https://tools.example.org/.well-known/oauth-protected-resource/mcp";

/** Sends one request with a token. */
type Send = (server: OAuthServer, headers: Record<string, string>) => Promise<Response>;

const EXEC = { commands: [{ command: "true" }] };
const JSON_BODY = { "content-type": "application/json" };

/** A call over the HTTP API. */
function api(tool: string, args: object, more: Record<string, string> = {}): Send {
  return ({ url }, headers) =>
    fetch(`${url}/api`, {
      method: "POST",
      headers: { ...JSON_BODY, ...headers, ...more },
      body: JSON.stringify({ tool, args }),
    });
}

function get(path: string): Send {
  return ({ url }, headers) => fetch(`${url}${path}`, { headers });
}

function mcp(method: string, params: object = {}): Send {
  return ({ url }, headers) => postMcp(url, { method, params }, { headers });
}

function legacy(...messages: readonly object[]): Send {
  const [first, ...others] = messages.map((message, id) => ({ jsonrpc: "2.0", id, ...message }));
  const body = others.length === 0 && first !== undefined && "method" in first
    ? { ...first, method: String(first.method) }
    : [first ?? {}, ...others];
  return ({ url }, headers) => postMcp(url, body, { headers, revision: "2025-11-25" });
}

const call = (name: string, args: object) => ({
  method: "tools/call",
  params: { name, arguments: args },
});

/** The answer to a request, with its text. */
async function answerOf(
  send: Send,
  server: OAuthServer,
  token: string,
): Promise<{ status: number; challenge: string | null; text: string }> {
  const response = await send(server, bearer(token));
  const { status, headers } = response;
  return { status, challenge: headers.get("www-authenticate"), text: await response.text() };
}

Deno.test("every request needs the scope of what it does, on every way", async (t) => {
  await using folder = await createTempFolder();
  await using server = await startOAuthServer();
  const path = `${folder.path}/file`;
  await Deno.writeTextFile(path, "content");
  const read = { path };
  const write = { path: `${folder.path}/written`, content: "x" };
  const tokens = await Promise.all(POWERS.map((scope) => server.issuer.sign({ scope })));
  const stream = { accept: "text/event-stream" };
  const later = { prefer: "respond-async" };
  const CASES: readonly (readonly [name: string, needed: string[], send: Send])[] = [
    ["list over HTTP", [], get("/api/tools")],
    ["OpenAPI", [], get("/openapi.json")],
    ["list over MCP", [], mcp("tools/list")],
    ["list over MCP 2025-11-25", [], legacy({ method: "tools/list" })],
    ["discovery over MCP", [], mcp("server/discover")],
    ["read over HTTP", ["tools:read"], api("read-file", read)],
    ["read as events", ["tools:read"], api("read-file", read, stream)],
    ["read as a job", ["tools:read"], api("read-file", read, later)],
    ["read over MCP", ["tools:read"], mcp("tools/call", call("read-file", read).params)],
    ["read over MCP 2025-11-25", ["tools:read"], legacy(call("read-file", read))],
    ["jobs over HTTP", ["tools:read"], get("/api/jobs")],
    ["running calls over HTTP", ["tools:read"], get("/api/calls")],
    ["servers over HTTP", ["tools:read"], get("/api/servers")],
    ["jobs over MCP", ["tools:read"], mcp("tools/call", call("job-list", {}).params)],
    ["tasks over MCP 2025-11-25", ["tools:read"], legacy({ method: "tasks/list" })],
    ["write over HTTP", ["tools:write"], api("write-file", write)],
    ["write over MCP", ["tools:write"], mcp("tools/call", call("write-file", write).params)],
    ["command over HTTP", ["tools:exec"], api("exec-command", EXEC)],
    ["command as events", ["tools:exec"], api("exec-command", EXEC, stream)],
    ["command as a job", ["tools:exec"], api("exec-command", EXEC, later)],
    ["command over MCP", ["tools:exec"], mcp("tools/call", call("exec-command", EXEC).params)],
    ["command over MCP 2025-11-25", ["tools:exec"], legacy(call("exec-command", EXEC))],
    [
      "job of a command over MCP",
      ["tools:exec"],
      mcp("tools/call", call("job-start", { tool: "exec-command", args: EXEC }).params),
    ],
    [
      "task of a command over MCP 2025-11-25",
      ["tools:exec"],
      legacy({
        method: "tools/call",
        params: { ...call("exec-command", EXEC).params, task: {} },
      }),
    ],
    [
      "batch over MCP 2025-11-25",
      ["tools:read", "tools:exec"],
      legacy(call("read-file", read), { method: "tools/list" }, call("exec-command", EXEC)),
    ],
  ];
  for (const [name, needed, send] of CASES) {
    await t.step(name, async () => {
      for (const [power, token] of tokens.entries()) {
        const scope = POWERS[power] ?? "";
        const { status, challenge, text } = await answerOf(send, server, token);
        const missing = needed.filter((one) => POWERS.indexOf(one) > power);
        const state = `${scope}: ${status} ${challenge} ${text.slice(0, 300)}`;
        if (missing.length === 0) {
          ok(status === 200 || status === 202, state);
          strictEqual(challenge, null);
          ok(!text.includes('isError":true'), state);
          continue;
        }
        strictEqual(status, 403, state);
        ok(challenge?.startsWith('Bearer error="insufficient_scope", '), state);
        ok(challenge?.includes(`resource_metadata="${METADATA}"`), state);
        ok(challenge?.includes(`scope="${missing.join(" ")}"`), state);
        strictEqual(JSON.parse(text).code, "INSUFFICIENT_SCOPE");
      }
    });
  }

  await t.step(
    "a change of a job needs the scope of its tool, and subjects have their own jobs",
    async () => {
      const { issuer, url } = server;
      const [reader, executor, stranger, admin] = await Promise.all([
        issuer.sign(),
        issuer.sign({ scope: "tools:exec" }),
        issuer.sign({ scope: "tools:exec", sub: "bob" }),
        issuer.sign({ scope: "admin", sub: "carol" }),
      ]);
      const started = await fetch(`${url}/api`, {
        method: "POST",
        headers: { ...JSON_BODY, ...bearer(executor), prefer: "respond-async" },
        body: JSON.stringify({
          tool: "exec-command",
          args: { commands: [{ command: "cat" }] },
          stdin: true,
        }),
      });
      const { id } = await started.json();
      const post = (path: string, method = "POST"): Send => ({ url }, headers) =>
        fetch(`${url}/api/jobs/${id}${path}`, { method, headers });
      const known = { ...bearer(executor), "if-none-match": '"queued-0-0"' };
      await (await get(`/api/jobs/${id}?wait=20`)(server, known)).body?.cancel();
      const { calls } = await (await get("/api/calls")(server, bearer(executor))).json();
      const run = calls.find(({ job }: { job?: string }) => job === id);
      const stop: Send = ({ url }, headers) =>
        fetch(`${url}/api/calls/${run.id}`, { method: "DELETE", headers });
      const changes = [
        stop,
        post("/stdin?end=false"),
        post("/cancel"),
        post("", "DELETE"),
        mcp("tasks/cancel", { taskId: id }),
        mcp("tasks/update", { taskId: id, inputResponses: {} }),
        legacy({ method: "tasks/cancel", params: { taskId: id } }),
      ];
      for (const [at, send] of changes.entries()) {
        const { status, challenge } = await answerOf(send, server, reader);
        strictEqual(status, 403, `${at}`);
        ok(challenge?.includes('scope="tools:exec"'), `${at}: ${challenge}`);
      }
      const reads = ["", "/stdout", "/stderr", "?wait=0"].map((path) =>
        get(`/api/jobs/${id}${path}`)
      );
      for (const send of [...reads, mcp("tasks/get", { taskId: id })]) {
        for (const token of [reader, admin]) {
          strictEqual((await answerOf(send, server, token)).status, 200);
        }
        const { status, text } = await answerOf(send, server, stranger);
        ok(status === 404 || /-32602|not found|no task|no job/i.test(text), `${status} ${text}`);
      }
      const writer = await issuer.sign({ scope: "tools:write" });
      const cancelling = mcp("tools/call", call("job-cancel", { id }).params);
      const refused = await answerOf(cancelling, server, writer);
      match(refused.text, /does not have the scope tools:exec.*"isError":true/);
      strictEqual((await answerOf(post("/cancel"), server, executor)).status, 202);
      await server.process.logged(/"refused".*"INSUFFICIENT_SCOPE".*"caller":"http[^"]*#alice"/);
      const events = await answerOf(get(`/api/jobs/${id}/events`), server, reader);
      deepStrictEqual([events.status, /event: state/.test(events.text)], [200, true], events.text);
    },
  );
});
