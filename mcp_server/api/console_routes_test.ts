import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { startServer } from "../testing/server_process.ts";

const TOKEN = "console-routes-test";
const FILES = [
  ["/", "text/html; charset=utf-8"],
  ["/console/main.js", "text/javascript; charset=utf-8"],
  ["/console/terminal.js", "text/javascript; charset=utf-8"],
  ["/console/style.css", "text/css; charset=utf-8"],
  ["/console/icon.svg", "image/svg+xml"],
] as const;

Deno.test("the console's files are open, hold no secret, and may load and do nothing else", async (t) => {
  await using server = await startServer({
    env: { MCP_TOKEN: TOKEN, MCP_AUDIT_FILE: "/dev/null" },
    args: ["--log-level", "error"],
  });
  for (const [path, type] of FILES) {
    await t.step(path, async () => {
      const response = await fetch(`${server.url}${path}`);
      const text = await response.text();
      strictEqual(response.status, 200);
      ok(text.length > 100 && !text.includes(TOKEN));
      const { headers } = response;
      strictEqual(headers.get("content-type"), type);
      strictEqual(headers.get("x-content-type-options"), "nosniff");
      strictEqual(headers.get("referrer-policy"), "no-referrer");
      const policy = headers.get("content-security-policy") ?? "";
      match(policy, /^default-src 'none'; script-src 'self'; /);
      match(policy, /frame-ancestors 'none'/);
      ok(!/unsafe|\*|https?:|data:/.test(policy), policy);
      const etag = headers.get("etag") ?? "";
      const again = await fetch(`${server.url}${path}`, { headers: { "if-none-match": etag } });
      deepStrictEqual([again.status, await again.text()], [304, ""]);
      const head = await fetch(`${server.url}${path}`, { method: "HEAD" });
      deepStrictEqual([head.status, head.headers.get("etag")], [200, etag]);
      const plain = await fetch(`${server.url}${path}`, {
        headers: { "accept-encoding": "identity" },
      });
      strictEqual(plain.headers.get("content-encoding"), null);
      strictEqual(await plain.text(), text);
    });
  }
  await t.step("they need no Origin, and are not readable by other pages", async () => {
    for (const [path] of FILES) {
      const headers = { origin: "https://other.example" };
      const response = await fetch(`${server.url}${path}`, { headers });
      await response.body?.cancel();
      deepStrictEqual(
        [response.status, response.headers.get("access-control-allow-origin")],
        [200, null],
        path,
      );
      strictEqual(response.headers.get("cross-origin-resource-policy"), "same-origin");
    }
    const headers = { authorization: `Bearer ${TOKEN}`, origin: "https://other.example" };
    const call = await fetch(`${server.url}/api/me`, { headers });
    deepStrictEqual([call.status, (await call.json()).code], [403, "ORIGIN_NOT_ALLOWED"]);
    const own = await fetch(`${server.url}/api/me`, {
      headers: { ...headers, origin: server.url.replace("http:", "https:") },
    });
    deepStrictEqual([own.status, await own.json()], [200, { name: "default" }]);
  });
  await t.step("nobody logs in elsewhere unless the operator says so", async () => {
    deepStrictEqual(await (await fetch(`${server.url}/console/login.json`)).json(), {});
  });
  await t.step("they take no other method, and no other path is open", async () => {
    const post = await fetch(`${server.url}/`, { method: "POST" });
    deepStrictEqual([post.status, post.headers.get("allow")], [405, "GET, HEAD"]);
    await post.body?.cancel();
    const other = await fetch(`${server.url}/console/other.js`);
    strictEqual(other.status, 401);
    await other.body?.cancel();
  });
  await t.step("GET /api/me needs the token, and says who calls", async () => {
    const authorization = `Bearer ${TOKEN}`;
    const me = await fetch(`${server.url}/api/me`, { headers: { authorization } });
    deepStrictEqual([me.status, await me.json()], [200, { name: "default" }]);
    const nobody = await fetch(`${server.url}/api/me`);
    strictEqual(nobody.status, 401);
    await nobody.body?.cancel();
  });
});

Deno.test("the console's page may ask the issuer if people log in there, and learns of it", async () => {
  const issuer = "http://127.0.0.1:9";
  await using server = await startServer({
    env: {
      MCP_TOKEN: TOKEN,
      MCP_OAUTH_ISSUER: `${issuer}/tenant`,
      MCP_OAUTH_RESOURCE: "http://127.0.0.1:1234",
      MCP_OAUTH_CONSOLE_CLIENT_ID: "the console",
      MCP_AUDIT_FILE: "/dev/null",
    },
    args: ["--log-level", "error"],
  });
  const page = await fetch(`${server.url}/`);
  await page.body?.cancel();
  const policy = page.headers.get("content-security-policy") ?? "";
  match(policy, /; connect-src 'self' http:\/\/127\.0\.0\.1:9; /);
  strictEqual(policy.split("http:").length, 2);
  const login = await fetch(`${server.url}/console/login.json`);
  deepStrictEqual(await login.json(), {
    issuer: `${issuer}/tenant`,
    resource: "http://127.0.0.1:1234",
    clientId: "the console",
  });
});

Deno.test("MCP_CONSOLE=off leaves a 404 at the console's place", async () => {
  await using server = await startServer({
    env: { MCP_TOKEN: TOKEN, MCP_CONSOLE: "off", MCP_AUDIT_FILE: "/dev/null" },
    args: ["--log-level", "error"],
  });
  const page = await fetch(`${server.url}/`);
  deepStrictEqual([page.status, (await page.json()).code], [404, "NOT_FOUND"]);
  const script = await fetch(`${server.url}/console/main.js`);
  strictEqual(script.status, 401);
  await script.body?.cancel();
});
