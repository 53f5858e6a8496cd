import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { callApi, rawStatus, toAnswer } from "../testing/http_caller.ts";
import { startServer } from "../testing/server_process.ts";

const TOKEN = "test-token-0123456789";
const BEARER = { authorization: `Bearer ${TOKEN}` };

const server = await startServer({
  env: { MCP_TOKEN: `${TOKEN},second-token`, MCP_ALLOWED_ORIGINS: "https://app.example" },
});
const { url } = server;
addEventListener("unload", () => server.process.kill("SIGKILL"));

const get = async (path: string, init: RequestInit = {}) =>
  await toAnswer(await fetch(url + path, { headers: BEARER, ...init }));

Deno.test("every path but /healthz and /readyz requires the token, with a plain Bearer challenge", async () => {
  const bad: Record<string, string>[] = [
    {},
    { authorization: TOKEN },
    { authorization: "Bearer" },
    { authorization: `Basic ${TOKEN}` },
    { authorization: `Bearer ${TOKEN}x` },
    { authorization: `Bearer ${TOKEN},second-token` },
  ];
  for (const headers of bad) {
    for (const path of ["/api/tools", "/openapi.json"]) {
      const answer = await get(path, { headers });
      deepStrictEqual([answer.status, answer.body.code], [401, "UNAUTHORIZED"]);
      strictEqual(answer.headers.get("www-authenticate"), "Bearer");
    }
    strictEqual((await callApi(url, "job-list", {}, { headers })).status, 401);
    strictEqual((await get("/mcp", { method: "POST", headers, body: "{}" })).status, 401);
  }
  strictEqual(
    (await get(`/api/tools?token=${TOKEN}&access_token=${TOKEN}`, { headers: {} })).status,
    401,
  );
});

Deno.test("without a token only the open paths and their methods are revealed", async () => {
  const closed = [["/mcp", "GET"], ["/mcp", "DELETE"], ["/api", "GET"], ["/api", "OPTIONS"]]
    .concat([["/console", "GET"], ["/nope", "POST"], [
      "/.well-known/oauth-protected-resource",
      "GET",
    ]]);
  for (const [path = "", method = ""] of closed) {
    for (const headers of [new Headers(), new Headers({ authorization: "Bearer wrong" })]) {
      const answer = await get(path, { method, headers });
      deepStrictEqual([answer.status, answer.body.code], [401, "UNAUTHORIZED"], path);
      strictEqual(answer.headers.get("www-authenticate"), "Bearer");
      strictEqual(answer.headers.get("allow"), null);
    }
  }
  for (const path of ["/healthz", "/readyz", "/", "/console/main.js"]) {
    strictEqual((await get(path, { method: "POST", headers: {} })).status, 405, path);
  }
});

Deno.test("an HTTP/1.1 request without Host, or with two, is 400", async () => {
  for (const hosts of ["", "Host: localhost\r\nHost: localhost\r\n", "Host: a\r\nHost: b\r\n"]) {
    match(await rawStatus(url, `GET /healthz HTTP/1.1\r\n${hosts}\r\n`), / 400 /, hosts);
  }
});

Deno.test("GET /healthz requires no token and reports only ok", async () => {
  const { status, body } = await get("/healthz", { headers: {} });
  deepStrictEqual([status, body], [200, { text: "ok" }]);
});

Deno.test("GET /readyz requires no token and reports that the server takes work", async () => {
  const { status, body } = await get("/readyz", { headers: {} });
  deepStrictEqual([status, body], [200, { text: "ready" }]);
});

Deno.test("unknown paths are 404, and other methods 405 with the allowed ones", async () => {
  for (const path of ["/console", "/nope", "/api/", "/.well-known/oauth-protected-resource"]) {
    strictEqual((await get(path)).status, 404, path);
  }
  const wrong = [["/api", "GET", "POST"], ["/mcp", "GET", "POST"], ["/mcp", "DELETE", "POST"], [
    "/api/tools",
    "POST",
    "GET",
  ]] as const;
  for (const [path, method, allow] of wrong) {
    const answer = await get(path, { method });
    deepStrictEqual([answer.status, answer.headers.get("allow")], [405, allow], path);
  }
});

Deno.test("hostile Host headers are rejected before anything is read", async () => {
  const port = new URL(url).port;
  const hosts = [
    "evil.example",
    `evil.example:${port}`,
    "",
    "localhost.evil.example",
    "a, localhost",
  ];
  for (const host of hosts) {
    const line = await rawStatus(
      url,
      `POST /api HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 9999\r\n\r\n`,
    );
    match(line, / 40[03] /, host);
  }
  match(await rawStatus(url, `GET /healthz HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`), / 200 /);
});

Deno.test("pages of foreign origins are rejected; listed ones may call and read", async () => {
  const foreign = await get("/api/tools", {
    headers: { ...BEARER, origin: "https://evil.example" },
  });
  deepStrictEqual([foreign.status, foreign.body.code], [403, "ORIGIN_NOT_ALLOWED"]);
  strictEqual(foreign.headers.get("access-control-allow-origin"), null);
  const headers = { ...BEARER, origin: "https://app.example" };
  const listed = await get("/api/tools", { headers });
  strictEqual(listed.status, 200);
  strictEqual(listed.headers.get("access-control-allow-origin"), "https://app.example");
  const preflight = await get("/api", {
    method: "OPTIONS",
    headers: { origin: "https://app.example", "access-control-request-method": "POST" },
  });
  strictEqual(preflight.status, 204);
  strictEqual(preflight.headers.get("access-control-allow-origin"), "https://app.example");
  match(preflight.headers.get("access-control-allow-headers") ?? "", /Authorization/);
  const refused = await get("/api", { headers: { origin: "https://app.example" } });
  strictEqual(refused.status, 401);
  match(refused.headers.get("access-control-expose-headers") ?? "", /WWW-Authenticate/);
});

Deno.test("methods named like object members are rejected as any other", async () => {
  for (const method of ["toString", "constructor", "valueOf"]) {
    strictEqual((await get("/healthz", { method })).status, 405, method);
  }
});
