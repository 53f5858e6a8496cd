import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { inTurns } from "../../test_support/bench/in_turns.ts";
import type { Row } from "../../test_support/bench/table.ts";
import { requestsPerSecond, toRequest } from "./load.ts";
import { start } from "./started.ts";

const ISSUER = "https://login.example.org";
const RESOURCE = "https://tools.example.org";
const STATIC = "a-static-token-of-forty-eight-hexadecimal-digits";

/** Compares calls with an OAuth token that the server knows with calls with a static token. */
export async function benchOAuth(): Promise<Row[]> {
  const { token, jwks } = await createToken();
  await using keys = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => Response.json(jwks),
  );
  const flags = [
    ...["--oauth-issuer", ISSUER, "--oauth-resource", RESOURCE],
    ...["--oauth-jwks", `http://127.0.0.1:${keys.addr.port}`],
  ];
  await using server = await start("./echo_server.ts", ["1", ...flags], { MCP_TOKEN: STATIC });
  const rate = (bearer: string) => () => {
    const body = { tool: "echo-0", args: { text: "hello" } };
    const headers = { authorization: `Bearer ${bearer}` };
    return requestsPerSecond(server.url, toRequest(server.url, "/api", body, headers));
  };
  const [byStatic = NaN, byOAuth = NaN] = await inTurns([rate(STATIC), rate(token)], 5);
  return [{
    what: "HTTP API echo with a known OAuth token / with a static token, bare TCP",
    value: `${Math.round(byOAuth)} /s`,
    ratio: byOAuth / byStatic,
  }];
}

/** A token as common issuers write it, and the keys to check it with. */
async function createToken(): Promise<{ token: string; jwks: object }> {
  const { privateKey, publicKey } = await generateKeyPair("RS256");
  const claims = { client_id: crypto.randomUUID(), jti: crypto.randomUUID(), scope: "tools:exec" };
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: "RS256", typ: "at+jwt", kid: "a" })
    .setIssuer(ISSUER).setAudience(RESOURCE).setSubject("auth0|0123456789abcdef01234567")
    .setIssuedAt().setExpirationTime("1h").sign(privateKey);
  return { token, jwks: { keys: [{ ...await exportJWK(publicKey), kid: "a" }] } };
}
