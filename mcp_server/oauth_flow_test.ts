import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { decodeJwt } from "jose";
import { freePort } from "./testing/free_port.ts";
import { secondsFromNow } from "./testing/issuer.ts";
import { LoginClient } from "./testing/oauth_client.ts";
import { startOAuthServer } from "./testing/oauth_server.ts";

const EXEC = { name: "exec-command", arguments: { commands: [{ command: "echo in" }] } };

for (const path of ["/mcp", ""]) {
  Deno.test(`the SDK's client finds the issuer, logs in, steps up and refreshes (${path || "root"})`, async () => {
    const port = freePort();
    const resource = `http://127.0.0.1:${port}${path}`;
    await using server = await startOAuthServer({
      MCP_PORT: String(port),
      MCP_OAUTH_RESOURCE: resource,
    });
    const { issuer } = server;
    await using client = new LoginClient(`${server.url}/mcp`);
    const { provider } = client;
    const claims = () => decodeJwt(provider.held?.access_token ?? "");

    const { tools } = await client.use((connected) => connected.listTools());
    ok(tools.some(({ name }) => name === "exec-command"), "the list shows what a step-up allows");
    const [first] = provider.redirects;
    strictEqual(first?.origin, issuer.url);
    strictEqual(first?.searchParams.get("resource"), resource);
    strictEqual(first?.searchParams.get("code_challenge_method"), "S256");
    deepStrictEqual([claims().aud, claims().scope], [resource, "tools:read"]);

    const result = await client.use((connected) => connected.callTool(EXEC));
    ok(JSON.stringify(result.structuredContent).includes("in\\n"), JSON.stringify(result));
    strictEqual(provider.redirects.length, 2);
    deepStrictEqual(String(claims().scope).split(" ").sort(), ["tools:exec", "tools:read"]);

    const expired = await issuer.sign({ exp: secondsFromNow(-60), scope: "tools:exec" });
    if (provider.held === undefined) throw new Error("Cannot refresh: there is no token");
    provider.held = { ...provider.held, access_token: expired };
    await client.use((connected) => connected.callTool(EXEC));
    strictEqual(provider.redirects.length, 2, "the user is not asked to log in again");
    ok(provider.held.access_token !== expired);
    strictEqual(/eyJ/.test(server.process.stderr()), false);
  });
}
