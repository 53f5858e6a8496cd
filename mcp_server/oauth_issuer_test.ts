import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { postMcp } from "./testing/mcp_request.ts";
import { startIssuer } from "./testing/issuer.ts";
import { bearer, RESOURCE, startOAuthServer } from "./testing/oauth_server.ts";
import { startServer } from "./testing/server_process.ts";

const METADATA_PATH = "/.well-known/oauth-protected-resource";
const STATIC = "a-static-token";

/** The status of a request, and what it says about tokens. */
async function ask(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; challenge: string | null; retry: string | null; detail: string }> {
  const response = await fetch(`${url}/api/tools`, { headers });
  const text = await response.text();
  return {
    status: response.status,
    challenge: response.headers.get("www-authenticate"),
    retry: response.headers.get("retry-after"),
    detail: response.ok ? "" : JSON.parse(text).detail,
  };
}

Deno.test("a server with OAuth", async (t) => {
  await using server = await startOAuthServer({ MCP_TOKEN: STATIC });
  const { url, issuer } = server;

  await t.step("has its metadata at both well-known paths", async () => {
    for (const path of [`${METADATA_PATH}/mcp`, METADATA_PATH]) {
      const response = await fetch(`${url}${path}`);
      strictEqual(response.headers.get("content-type"), "application/json");
      deepStrictEqual(await response.json(), {
        resource: RESOURCE,
        authorization_servers: [issuer.url],
        scopes_supported: ["tools:read", "tools:write", "tools:exec"],
        bearer_methods_supported: ["header"],
        resource_name: "Trestle",
      });
      strictEqual((await fetch(`${url}${path}`, { method: "HEAD" })).status, 200);
    }
  });

  await t.step(
    "says where to get a token on every path, with an error only if there was one",
    async () => {
      const base = `Bearer resource_metadata="https://tools.example.org${METADATA_PATH}/mcp", ` +
        'scope="tools:read"';
      for (const path of ["/api/tools", "/api/jobs", "/openapi.json", "/nothing", "/mcp"]) {
        const { status, headers, body } = await fetch(`${url}${path}`);
        await body?.cancel();
        deepStrictEqual([status, headers.get("www-authenticate")], [401, base], path);
      }
      for (const authorization of ["Basic YTpi", "Digest x", "Bearertoken"]) {
        const { status, challenge } = await ask(url, { authorization });
        deepStrictEqual([status, challenge], [401, base], authorization);
      }
      const { status, challenge } = await ask(url, bearer("unknown"));
      strictEqual(status, 401);
      match(challenge ?? "", /^Bearer error="invalid_token", resource_metadata="/);
    },
  );

  await t.step("answers a malformed header with 400", async () => {
    for (const authorization of ["Bearer", "Bearer a b", "Bearer a, Bearer b", 'Bearer "a"']) {
      const { status, challenge } = await ask(url, { authorization });
      strictEqual(status, 400, authorization);
      match(challenge ?? "", /^Bearer error="invalid_request"/);
    }
  });

  await t.step("accepts a static token, which has every right, too", async () => {
    strictEqual((await ask(url, bearer(STATIC))).status, 200);
    strictEqual((await ask(url, bearer(await issuer.sign()))).status, 200);
    const params = { name: "exec-command", arguments: { commands: [{ command: "true" }] } };
    const message = { method: "tools/call", params };
    const response = await postMcp(url, message, { headers: bearer(STATIC) });
    match(await response.text(), /"exitCode":0/);
  });

  await t.step("names the subject of a token in its audit", async () => {
    const args = { commands: [{ command: "true" }] };
    const response = await fetch(`${url}/api`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...bearer(await issuer.sign({ scope: "tools:exec" })),
      },
      body: JSON.stringify({ tool: "exec-command", args }),
    });
    await response.body?.cancel();
    await server.process.logged(new RegExp(`"caller":"${RegExp.escape(issuer.url)}#alice"`));
    strictEqual(/eyJ/.test(server.process.stderr()), false);
  });

  await t.step("accepts a rotated key at once, and no token of the last one", async () => {
    const old = await issuer.sign({ scope: "tools:exec", sub: "bob" });
    await issuer.rotate();
    strictEqual((await ask(url, bearer(await issuer.sign()))).status, 200);
    const { status, challenge } = await ask(url, bearer(old));
    strictEqual(status, 401);
    match(challenge ?? "", /a key that its issuer does not publish/);
    const fetched = issuer.requests.filter((path) => path === "/jwks").length;
    strictEqual(fetched, 3);
  });
});

Deno.test("a server starts while the issuer is down, answers 503 until it is up, and recovers", async () => {
  await using issuer = await startIssuer(RESOURCE);
  await issuer.stop();
  await using server = await startServer({
    env: { MCP_TOKEN: STATIC, MCP_OAUTH_ISSUER: issuer.url, MCP_OAUTH_RESOURCE: RESOURCE },
  });
  const { url } = server;
  const token = await issuer.sign();
  const { status, challenge, retry, detail } = await ask(url, bearer(token));
  deepStrictEqual([status, challenge, retry], [503, null, "2"]);
  ok(detail.includes(issuer.url), detail);
  strictEqual((await ask(url, bearer(STATIC))).status, 200);
  strictEqual((await ask(url, bearer("no-jwt"))).status, 401);
  strictEqual((await ask(url)).status, 401);
  await server.logged(/can't fetch the keys of the issuer/);

  await issuer.start();
  await new Promise((resolve) => setTimeout(resolve, 1_000 * Number(retry)));
  strictEqual((await ask(url, bearer(token))).status, 200);
  await server.logged(/keys of the issuer are here again/);

  await issuer.stop();
  strictEqual((await ask(url, bearer(await issuer.sign({ sub: "bob" })))).status, 200);
});

Deno.test("a server without OAuth advertises nothing", async () => {
  await using server = await startServer({ env: { MCP_TOKEN: STATIC } });
  const { status, challenge } = await ask(server.url);
  deepStrictEqual([status, challenge], [401, "Bearer"]);
  deepStrictEqual((await ask(server.url, bearer("a.b.c"))).challenge, "Bearer");
  for (const path of [`${METADATA_PATH}/mcp`, METADATA_PATH]) {
    const response = await fetch(`${server.url}${path}`, { headers: bearer(STATIC) });
    await response.body?.cancel();
    strictEqual(response.status, 404);
  }
});
