import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { createHmac } from "node:crypto";
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from "jose";
import type { Log } from "../shared/log.ts";
import type { OAuthVerdict } from "./identify.ts";
import { digestOf } from "./token_check.ts";
import { createTokenVerifier } from "./token_verifier.ts";

const RESOURCE = "https://tools.example.org/mcp";
const METADATA = "/.well-known/oauth-authorization-server";
const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };
/** Longer than the verifier waits before it asks again. */
const LATER_MS = 700_000;

/** What the issuer answers for a path. */
type Answers = Readonly<Record<string, () => Response>>;

/** A site on a port of 127.0.0.1, which writes down what it is asked for. */
function serve(answer: (path: string) => Response) {
  const asked: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    const { pathname } = new URL(url);
    asked.push(pathname);
    return answer(pathname);
  });
  return {
    asked,
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** An issuer that answers as the test says, and a verifier of its tokens with a clock of the test. */
async function startHostile() {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = { ...await exportJWK(publicKey), kid: "a", alg: "ES256", use: "sig" };
  const state: { answers: Answers } = { answers: {} };
  await using stack = new AsyncDisposableStack();
  const good: Answers = {
    [METADATA]: () => Response.json({ issuer: site.url, jwks_uri: `${site.url}/keys` }),
    "/keys": () => Response.json({ keys: [jwk] }),
  };
  const site = stack.use(serve((path) => {
    const answer = state.answers[path] ?? good[path];
    return answer?.() ?? new Response("none", { status: 404 });
  }));
  const clock = { now: Date.now() };
  const verifier = stack.use(
    await createTokenVerifier({ issuer: site.url, resource: RESOURCE }, SILENT, {
      now: () => clock.now,
    }),
  );
  const verify = async (token: string): Promise<OAuthVerdict> =>
    await verifier.verify(token, digestOf(token));
  const sign = (header: object = {}, claims: object = {}) =>
    new SignJWT({
      iss: site.url,
      sub: crypto.randomUUID(),
      aud: RESOURCE,
      exp: clock.now / 1_000 + 600,
      ...claims,
    }).setProtectedHeader({ alg: "ES256", kid: "a", ...header }).sign(privateKey);
  const owned = stack.move();
  return {
    site,
    state,
    jwk,
    publicKey,
    verify,
    sign,
    later: () => void (clock.now += 10 * LATER_MS),
    claims: () => ({ iss: site.url, sub: "alice", aud: RESOURCE, exp: clock.now / 1_000 + 600 }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const statusOf = (verdict: OAuthVerdict) => verdict.ok ? 200 : verdict.status;

/** JSON of 512 MiB of spaces, in half a megabyte. */
async function bomb(): Promise<Uint8Array<ArrayBuffer>> {
  const spaces = new Uint8Array(1_048_576).fill(32);
  const pieces = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (body) => {
      for (let count = 0; count < 64; count++) body.enqueue(spaces);
      body.close();
    },
  });
  return await new Response(pieces.pipeThrough(new CompressionStream("gzip"))).bytes();
}

Deno.test("an issuer whose documents can't be used is not believed, and is when it is good again", async (t) => {
  await using other = serve((path) =>
    Response.json(path === "/keys" ? { keys: [] } : { issuer: hostile.site.url, jwks_uri: "x" })
  );
  await using hostile = await startHostile();
  const { site, state, jwk } = hostile;
  strictEqual(statusOf(await hostile.verify(await hostile.sign())), 200);
  const compressed = await bomb();
  const metadata = (answer: () => Response): Answers => ({
    [METADATA]: answer,
    "/.well-known/openid-configuration": answer,
  });
  const keys = (answer: () => Response): Answers => ({ "/keys": answer });
  const json = (value: unknown) => () => Response.json(value);
  const CASES: Readonly<Record<string, Answers>> = {
    "metadata elsewhere": metadata(() => Response.redirect(`${other.url}${METADATA}`, 307)),
    "keys elsewhere": keys(() => Response.redirect(`${other.url}/keys`, 302)),
    "another issuer": metadata(json({ issuer: other.url, jwks_uri: `${other.url}/keys` })),
    "keys without encryption": metadata(
      json({ issuer: site.url, jwks_uri: `${other.url}/keys`.replace("127.0.0.1", "192.0.2.1") }),
    ),
    "keys of a file": metadata(json({ issuer: site.url, jwks_uri: "file:///etc/passwd" })),
    "keys in the address": metadata(
      json({ issuer: site.url, jwks_uri: `data:application/json,${JSON.stringify({ keys: [] })}` }),
    ),
    "a large key set": keys(json({ keys: Array(4_000).fill(jwk) })),
    "a compressed bomb": keys(() =>
      new Response(compressed, { headers: { "content-encoding": "gzip" } })
    ),
    "no key set": keys(json({ keys: { a: jwk } })),
    "text that is no UTF-8": keys(() => new Response(new Uint8Array([0x7b, 0xff, 0x7d]))),
    "status 500": keys(() => new Response("no", { status: 500 })),
  };
  for (const [name, answers] of Object.entries(CASES)) {
    await t.step(name, async () => {
      state.answers = answers;
      hostile.later();
      strictEqual(statusOf(await hostile.verify(await hostile.sign())), 503);
      state.answers = {};
      hostile.later();
      strictEqual(statusOf(await hostile.verify(await hostile.sign())), 200);
    });
  }
  deepStrictEqual(other.asked, []);
});

Deno.test("an issuer's keys accept no token that another kind of key has signed", async (t) => {
  await using hostile = await startHostile();
  const { state, jwk, publicKey } = hostile;
  const pem = await exportSPKI(publicKey);
  const encode = (value: unknown) => btoa(JSON.stringify(value)).replaceAll("=", "");
  const signedBy = (secret: string, header: object) => {
    const text = `${encode({ typ: "at+jwt", ...header })}.${encode(hostile.claims())}`;
    return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
  };
  const huge = { kty: "RSA", kid: "a", alg: "RS256", n: "v".repeat(200_000), e: "AQAB" };
  const CASES: Readonly<Record<string, readonly [set: unknown, token: () => unknown]>> = {
    "a shared secret in the set": [
      { keys: [{ kty: "oct", kid: "a", alg: "HS256", k: btoa("secret").replaceAll("=", "") }] },
      () => signedBy("secret", { alg: "HS256", kid: "a" }),
    ],
    "the public key as a secret": [
      { keys: [jwk] },
      () => signedBy(pem, { alg: "HS256", kid: "a" }),
    ],
    "no algorithm": [
      { keys: [jwk] },
      () => `${encode({ alg: "none", kid: "a" })}.${encode(hostile.claims())}.`,
    ],
    "a key of 1.2 million bits": [
      { keys: [huge] },
      () => signedBy("x", { alg: "RS256", kid: "a" }),
    ],
    "a key for encryption": [{ keys: [{ ...jwk, use: "enc" }] }, () => hostile.sign()],
    "a key without its parts": [
      { keys: [{ kty: "EC", kid: "a", crv: "P-256" }] },
      () => hostile.sign(),
    ],
    "an id of path characters": [{ keys: [jwk] }, () => hostile.sign({ kid: "../keys/a" })],
    "an address in the token": [
      { keys: [] },
      () => hostile.sign({ jku: `${hostile.site.url}/own`, x5u: `${hostile.site.url}/own`, jwk }),
    ],
    "no audience": [{ keys: [jwk] }, () => hostile.sign({}, { aud: undefined })],
    "another audience": [{ keys: [jwk] }, () => hostile.sign({}, { aud: hostile.site.url })],
    "a clock that is a minute ahead": [
      { keys: [jwk] },
      () => hostile.sign({}, { nbf: Math.floor(Number(hostile.claims().exp)) - 540 }),
    ],
    "a changed issuer": [{ keys: [jwk] }, () => hostile.sign({}, { iss: `${hostile.site.url}/` })],
  };
  for (const [name, [set, token]] of Object.entries(CASES)) {
    await t.step(name, async () => {
      hostile.later();
      state.answers = { "/keys": () => Response.json(set) };
      const verdict = await hostile.verify(String(await token()));
      strictEqual(statusOf(verdict), 401, name);
      match(verdict.ok ? "" : verdict.reason, /^(The|A) /);
    });
  }
  strictEqual(hostile.site.asked.includes("/own"), false);
  state.answers = {};
  hostile.later();
  strictEqual(statusOf(await hostile.verify(await hostile.sign())), 200);
});

Deno.test("an issuer that is slow keeps no one waiting who needs no key of it", async () => {
  await using hostile = await startHostile();
  const { state } = hostile;
  const [slow, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  strictEqual(statusOf(await hostile.verify(await hostile.sign())), 200);
  const known = await hostile.sign();
  strictEqual(statusOf(await hostile.verify(known)), 200);
  state.answers = {
    "/keys": () => {
      asked.resolve();
      const start = (body: ReadableStreamDefaultController) =>
        void slow.promise.then(() => body.close());
      return new Response(new ReadableStream({ start }));
    },
  };
  const waiting = hostile.verify(await hostile.sign({ kid: "rotated" }));
  await asked.promise;
  strictEqual(statusOf(await hostile.verify(known)), 200);
  strictEqual(statusOf(await hostile.verify(await hostile.sign())), 200);
  strictEqual(statusOf(await hostile.verify("a.b.c")), 401);
  slow.resolve();
  strictEqual(statusOf(await waiting), 503);
});
