import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { exportJWK, generateKeyPair, type JSONWebKeySet, SignJWT } from "jose";
import type { Log } from "../shared/log.ts";
import type { OAuthVerdict } from "./identify.ts";
import { digestOf } from "./token_check.ts";
import { createTokenVerifier, VerifiedTokens } from "./token_verifier.ts";

const RESOURCE = "https://tools.example.org";
const NOW = 1_800_000_000_000;
const SECONDS = NOW / 1_000;

/** An issuer of documents, whose tokens the test signs, at a time that the test moves. */
async function startVerifier(keySetOf?: (good: JSONWebKeySet) => unknown) {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = { ...await exportJWK(publicKey), kid: "a", alg: "ES256", use: "sig" };
  const good: JSONWebKeySet = { keys: [jwk] };
  const requests: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    requests.push(new URL(url).pathname);
    return Response.json(keySetOf === undefined ? good : keySetOf(good));
  });
  const jwks = `http://127.0.0.1:${server.addr.port}/keys`;
  const clock = { now: NOW };
  const issuer = "https://login.example.org";
  const lines: string[] = [];
  const config = { issuer, resource: RESOURCE, jwks };
  const verifier = await createTokenVerifier(config, toLog(lines), { now: () => clock.now });
  const ask = (token: string) => verifier.verify(token, digestOf(token));
  return {
    clock,
    lines,
    requests,
    ask,
    verify: async (token: string): Promise<OAuthVerdict> => await ask(token),
    sign: (claims: object = {}, header: object = {}) =>
      new SignJWT({ iss: issuer, sub: "alice", aud: RESOURCE, exp: SECONDS + 300, ...claims })
        .setProtectedHeader({ alg: "ES256", kid: "a", ...header }).sign(privateKey),
    [Symbol.asyncDispose]: async () => {
      verifier[Symbol.dispose]();
      await server.shutdown();
    },
  };
}

function toLog(lines: string[]): Log {
  const add = (message: string, fields?: object) =>
    void lines.push(`${message} ${JSON.stringify(fields)}`);
  return { debug: add, info: add, warn: add, error: add };
}

function reasonOf(verdict: OAuthVerdict): string {
  return verdict.ok ? "" : `${verdict.status} ${verdict.reason}`;
}

Deno.test("createTokenVerifier() accepts a token from its first second to its last", async () => {
  await using issuer = await startVerifier();
  const { clock, verify } = issuer;
  const token = await issuer.sign({ nbf: SECONDS, scope: "tools:read" });
  const TIMES = [
    [-11, "401 The token is not valid yet"],
    [-10, ""],
    [0, ""],
    [299, ""],
    [309, ""],
    [
      310,
      "401 The token has expired",
    ],
  ] as const;
  for (const [seconds, reason] of TIMES) {
    clock.now = NOW + 1_000 * seconds;
    strictEqual(reasonOf(await verify(token)), reason, `${seconds}`);
  }
  deepStrictEqual(issuer.requests, ["/keys"]);
});

Deno.test("createTokenVerifier() takes a resource without a path with and without its slash", async () => {
  await using issuer = await startVerifier();
  for (const aud of [RESOURCE, `${RESOURCE}/`, ["https://other.example.org", RESOURCE]]) {
    strictEqual(reasonOf(await issuer.verify(await issuer.sign({ aud }))), "");
  }
  match(
    reasonOf(await issuer.verify(await issuer.sign({ aud: `${RESOURCE}/mcp` }))),
    /^401 .*aud must be https:\/\/tools\.example\.org$/,
  );
});

Deno.test("createTokenVerifier() answers a token that it knows at once, and checks it again later", async () => {
  await using issuer = await startVerifier();
  const { ask, clock } = issuer;
  const token = await issuer.sign();
  ok(ask(token) instanceof Promise);
  await ask(token);
  deepStrictEqual(ask(token), {
    ok: true,
    identity: { subject: "alice", scopes: [] },
  });
  clock.now += 60_000;
  const again = ask(token);
  ok(again instanceof Promise);
  strictEqual((await again).ok, true);
});

Deno.test("createTokenVerifier() asks nobody about what can't be a token of the issuer", async () => {
  let isUp = false;
  await using issuer = await startVerifier((good) => isUp ? good : null);
  await issuer.verify(await issuer.sign());
  match(reasonOf(await issuer.verify(await issuer.sign())), /^503 .*login\.example\.org/);
  const others = [
    "static",
    "a.b.c",
    `${await issuer.sign()}${"A".repeat(17_000)}`,
    await issuer.sign({ iss: "https://other.example.org" }),
  ];
  for (const token of others) match(reasonOf(await issuer.verify(token)), /^401 /);
  isUp = true;
  issuer.clock.now += 2_000;
  strictEqual(reasonOf(await issuer.verify(await issuer.sign())), "");
  deepStrictEqual(issuer.lines.map((line) => line.split(" {")[0]), [
    "can't fetch the keys of the issuer, trying again",
    "the keys of the issuer are here again",
  ]);
});

Deno.test("createTokenVerifier() needs the id of a key if there are several, and takes public ones", async () => {
  const other = await exportJWK((await generateKeyPair("ES256")).publicKey);
  await using issuer = await startVerifier(({ keys }) => ({ keys: [...keys, other] }));
  strictEqual(reasonOf(await issuer.verify(await issuer.sign())), "");
  match(reasonOf(await issuer.verify(await issuer.sign({}, { kid: undefined }))), /names no key/);

  const pair = await generateKeyPair("ES256", { extractable: true });
  const leaked = { ...await exportJWK(pair.privateKey), kid: "a", alg: "ES256", use: "sig" };
  await using careless = await startVerifier(() => ({ keys: [leaked] }));
  match(reasonOf(await careless.verify(await careless.sign())), /^401 .*is not a public one$/);

  const secret = { kty: "oct", k: "AAAA", kid: "a", alg: "HS256" };
  await using shared = await startVerifier(() => ({ keys: [secret] }));
  const symmetric = await new SignJWT({ iss: "https://login.example.org", sub: "a", aud: RESOURCE })
    .setExpirationTime(SECONDS + 300).setProtectedHeader({ alg: "HS256", kid: "a" })
    .sign(new Uint8Array(32));
  match(reasonOf(await shared.verify(symmetric)), /algorithm of the token is not accepted/);
});

Deno.test("createTokenVerifier() can't check anything with a document that is no key set", async () => {
  for (const document of [null, [], {}, { keys: {} }, { keys: [1] }, "keys"]) {
    await using issuer = await startVerifier(() => document);
    match(reasonOf(await issuer.verify(await issuer.sign())), /^503 /);
  }
});

const bytes = (text: string) => new TextEncoder().encode(text);
const identity = { subject: "a", scopes: [] };

Deno.test("VerifiedTokens remembers a token for a minute, but not after it expires", () => {
  let now = 1_000_000;
  const known = new VerifiedTokens(() => now);
  known.add(bytes("long"), { identity, expiresAt: now + 3_600_000 });
  known.add(bytes("short"), { identity, expiresAt: now + 10_000 });
  known.add(bytes("gone"), { identity, expiresAt: now - 1 });
  strictEqual(known.get(bytes("long")), identity);
  strictEqual(known.get(bytes("short")), identity);
  strictEqual(known.get(bytes("gone")), undefined);
  strictEqual(known.get(bytes("longer")), undefined);
  now += 9_999;
  strictEqual(known.get(bytes("short")), identity);
  now += 1;
  strictEqual(known.get(bytes("short")), undefined);
  now += 49_999;
  strictEqual(known.get(bytes("long")), identity);
  now += 1;
  strictEqual(known.get(bytes("long")), undefined);
});

Deno.test("VerifiedTokens remembers the last thousand", () => {
  const known = new VerifiedTokens(() => 0);
  for (let at = 0; at < 1_500; at++) {
    known.add(bytes(`token-${at}`), { identity, expiresAt: 60_000 });
  }
  const kept = Array.from(
    { length: 1_500 },
    (_, at) => known.get(bytes(`token-${at}`)) !== undefined,
  );
  strictEqual(kept.indexOf(true), 500);
  strictEqual(kept.filter(Boolean).length, 1_000);
});
