import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import {
  changed,
  type Forgeries,
  type ForgeryTarget,
  goodClaims,
  signedByAttacker,
  signedForOthers,
  signedWithPublicKey,
  signParts,
  unsigned,
} from "./testing/forged_tokens.ts";
import { bearer, startOAuthServer } from "./testing/oauth_server.ts";

/** Those that are no token, or none that a header can have. */
const NO_TOKENS: ReadonlySet<string> = new Set([
  "two tokens",
  "100 kB of signature",
  "100 kB of claims",
]);

Deno.test("no forged token is accepted", async (t) => {
  await using server = await startOAuthServer();
  const asked: string[] = [];
  await using site = serveAttacker(asked);
  const { issuer, resource, url } = server;
  const target: ForgeryTarget = {
    issuer: issuer.url,
    resource,
    key: issuer.key,
    site: site.url,
  };
  const statusOf = async (token: string) => {
    const response = await fetch(`${url}/api/tools`, { headers: bearer(token) });
    await response.body?.cancel();
    return response;
  };

  await t.step("but a good one is, whose parts were put together alike", async () => {
    const header = { alg: "ES256", kid: issuer.key.kid, typ: "at+jwt" };
    const good = await signParts(header, goodClaims(target), issuer.key.privateKey);
    strictEqual((await statusOf(good)).status, 200);
    strictEqual((await statusOf(await issuer.sign({ aud: ["other", resource] }))).status, 200);
  });

  const kinds: Readonly<Record<string, (target: ForgeryTarget) => Forgeries | Promise<Forgeries>>> =
    { unsigned, signedWithPublicKey, signedForOthers, signedByAttacker, changed };
  for (const [kind, forge] of Object.entries(kinds)) {
    await t.step(kind, async () => {
      const forgeries = Object.entries(await forge(target));
      ok(forgeries.length >= 20, `${forgeries.length}`);
      for (const [name, token] of forgeries) {
        const { status, headers } = await statusOf(token);
        if (NO_TOKENS.has(name)) {
          strictEqual(status, 400, name);
          continue;
        }
        strictEqual(status, 401, name);
        match(headers.get("www-authenticate") ?? "", /^Bearer error="invalid_token"/, name);
      }
    });
  }

  await t.step("nothing was asked of the attacker, and no token was written down", () => {
    deepStrictEqual(asked, []);
    strictEqual(/eyJ/.test(server.process.stderr()), false);
  });

  await t.step("a token in the query is none", async () => {
    const token = await issuer.sign();
    const response = await fetch(`${url}/api/tools?access_token=${token}`);
    await response.body?.cancel();
    strictEqual(response.status, 401);
    strictEqual(/error=/.test(response.headers.get("www-authenticate") ?? ""), false);
  });
});

/** A site of the attacker; writes down what it is asked for. */
function serveAttacker(asked: string[]) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    asked.push(url);
    return Response.json({ keys: [] });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
