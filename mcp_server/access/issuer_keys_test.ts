import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import {
  fetchJson,
  type FindKey,
  findKeysUrl,
  IssuerKeys,
  KeysUnavailable,
} from "./issuer_keys.ts";
import { within } from "../shared/concurrency.ts";

const MINUTE = 60_000;

/** An issuer with a clock that the test moves. */
class FakeIssuer {
  now = 0;
  loads = 0;
  /** The ids of its keys. */
  published = ["a"];
  down = false;
  readonly changes: (string | undefined)[] = [];
  /** Delays the answers, if it is set. */
  gate: Promise<void> = Promise.resolve();
  readonly keys = new IssuerKeys({
    load: async () => {
      this.loads++;
      await this.gate;
      if (this.down) throw new Error("Cannot fetch: it is down");
      const ids = [...this.published];
      const find: FindKey = ({ kid = "" }) =>
        ids.includes(kid) ? Promise.resolve(KEY) : Promise.reject(new Error(`no key "${kid}"`));
      return find;
    },
    isUnknownKey: (error) => error instanceof Error && error.message.startsWith("no key"),
    onChange: (failure) => this.changes.push(failure),
    now: () => this.now,
  });

  find(kid: string): Promise<CryptoKey> {
    return this.keys.find({ kid }, { payload: "", signature: "" });
  }
}

const PARAMS = { name: "ECDSA", namedCurve: "P-256" } as const;
const { publicKey: KEY } = await crypto.subtle.generateKey(PARAMS, false, ["sign", "verify"]);

Deno.test("IssuerKeys fetches keys once, for many tokens at the same time too", async () => {
  const issuer = new FakeIssuer();
  await Promise.all(Array.from({ length: 1_000 }, () => issuer.find("a")));
  issuer.now += 9 * MINUTE;
  strictEqual(await issuer.find("a"), KEY);
  strictEqual(issuer.loads, 1);
});

Deno.test("IssuerKeys notices a key that was withdrawn after ten minutes", async () => {
  const issuer = new FakeIssuer();
  await issuer.find("a");
  issuer.published = ["b"];
  issuer.now += 10 * MINUTE;
  await rejects(issuer.find("a"), /no key "a"/);
});

Deno.test("IssuerKeys accepts a rotated key at once, for tokens at the same time too", async () => {
  const issuer = new FakeIssuer();
  await issuer.find("a");
  issuer.published = ["b"];
  await Promise.all(Array.from({ length: 10 }, () => issuer.find("b")));
  strictEqual(issuer.loads, 2);
});

Deno.test("IssuerKeys fetches keys three times a minute at most for tokens with unknown ones", async () => {
  const issuer = new FakeIssuer();
  for (let at = 0; at < 100; at++) await rejects(issuer.find(`forged-${at}`), /no key/);
  strictEqual(issuer.loads, 4);
  issuer.now += MINUTE;
  issuer.published.push("b");
  strictEqual(await issuer.find("b"), KEY);
  strictEqual(issuer.loads, 5);
});

Deno.test("IssuerKeys without keys asks an issuer that is down every two seconds, not more", async () => {
  const issuer = new FakeIssuer();
  issuer.down = true;
  for (let at = 0; at < 10; at++) await rejects(issuer.find("a"), KeysUnavailable);
  strictEqual(issuer.loads, 1);
  issuer.now += 2_000;
  await rejects(issuer.find("a"), KeysUnavailable);
  strictEqual(issuer.loads, 2);
  issuer.now += 2_000;
  issuer.down = false;
  strictEqual(await issuer.find("a"), KEY);
  deepStrictEqual(issuer.changes, ["Cannot fetch: it is down", undefined]);
});

Deno.test("IssuerKeys uses the last keys for an hour if the issuer goes down, and no longer", async () => {
  const issuer = new FakeIssuer();
  await issuer.find("a");
  issuer.down = true;
  for (const minutes of [10, 30, 59]) {
    issuer.now = minutes * MINUTE;
    strictEqual(await issuer.find("a"), KEY, `${minutes}`);
  }
  issuer.now = 60 * MINUTE;
  await rejects(issuer.find("a"), KeysUnavailable);
  strictEqual(issuer.changes.length, 1);
});

Deno.test("IssuerKeys does not wait for an issuer that has just failed", async () => {
  const issuer = new FakeIssuer();
  await issuer.find("a");
  issuer.down = true;
  issuer.now = 10 * MINUTE;
  await issuer.find("a");
  issuer.now += 2_000;
  const { promise, resolve } = Promise.withResolvers<void>();
  issuer.gate = promise;
  strictEqual(await issuer.find("a"), KEY);
  strictEqual(issuer.loads, 3);
  resolve();
});

Deno.test("IssuerKeys can't say that a key is unknown while the issuer is down", async () => {
  const issuer = new FakeIssuer();
  await issuer.find("a");
  issuer.down = true;
  for (let at = 0; at < 5; at++) await rejects(issuer.find("b"), KeysUnavailable);
  strictEqual(issuer.loads, 2);
  strictEqual(await issuer.find("a"), KEY);
});

/** Serves documents by path, and counts the requests. */
function serveDocuments(documents: (origin: string) => Readonly<Record<string, unknown>>) {
  const requests: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    const { pathname, origin } = new URL(url);
    requests.push(pathname);
    const found = documents(origin)[pathname];
    if (found instanceof Response) return found;
    return found === undefined ? new Response("none", { status: 404 }) : Response.json(found);
  });
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    requests,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const get = (url: string) => fetchJson(url, new AbortController().signal);
const RFC_8414 = "/.well-known/oauth-authorization-server";
const OPENID = "/.well-known/openid-configuration";

Deno.test("findKeysUrl() finds the metadata of an issuer at each place where it may be", async () => {
  const CASES = [
    ["", RFC_8414],
    ["", OPENID],
    ["/", OPENID],
    ["/team", `${RFC_8414}/team`],
    ["/team", `${OPENID}/team`],
    ["/realms/team", `/realms/team${OPENID}`],
  ] as const;
  for (const [path, place] of CASES) {
    await using site = serveDocuments((origin) => ({
      [place]: { issuer: `${origin}${path}`, jwks_uri: `${origin}/keys` },
    }));
    const url = await findKeysUrl({ issuer: `${site.origin}${path}` }, get);
    strictEqual(url, `${site.origin}/keys`, place);
  }
});

Deno.test("findKeysUrl() fetches nothing if the keys are configured", async () => {
  const source = { issuer: "https://a.example", jwks: "https://b.example/keys" };
  strictEqual(await findKeysUrl(source, () => Promise.reject(new Error("fetched"))), source.jwks);
});

Deno.test("findKeysUrl() does not believe metadata of another issuer, or of none", async () => {
  const OTHERS = (origin: string) => [
    undefined,
    null,
    "",
    `${origin}/`,
    origin.toUpperCase(),
    `${origin}/team`,
    "https://login.example.org",
    [origin],
  ];
  for (const at of OTHERS("").keys()) {
    await using site = serveDocuments((origin) => ({
      [RFC_8414]: { issuer: OTHERS(origin)[at], jwks_uri: `${origin}/keys` },
      [OPENID]: OTHERS(origin)[at] ?? {},
    }));
    await rejects(
      findKeysUrl({ issuer: site.origin }, get),
      /its issuer is .*, not "http:|not a JSON object/,
    );
  }
});

Deno.test("findKeysUrl() does not fetch keys without encryption from another machine", async () => {
  for (const uri of [undefined, 1, "", "keys", "http://login.example.org/keys", "file:///keys"]) {
    await using site = serveDocuments((origin) => ({
      [RFC_8414]: { issuer: origin, jwks_uri: uri },
    }));
    await rejects(findKeysUrl({ issuer: site.origin }, get), /its jwks_uri is no https URL/);
  }
});

Deno.test("findKeysUrl() says what each place answered", async () => {
  await using site = serveDocuments(() => ({ [OPENID]: new Response("<html>") }));
  await rejects(findKeysUrl({ issuer: `${site.origin}/a` }, get), (error: Error) => {
    strictEqual(error.message.match(/Cannot fetch/g)?.length, 3);
    strictEqual(error.message.match(/status 404/g)?.length, 3);
    return true;
  });
  await rejects(findKeysUrl({ issuer: site.origin }, get), /status 404; Cannot fetch .*no JSON/);
  deepStrictEqual(site.requests.slice(-2), [RFC_8414, OPENID]);
});

Deno.test("fetchJson() follows no redirect", async () => {
  await using site = serveDocuments((origin) => ({
    "/a": Response.redirect(`${origin}/b`, 302),
    "/b": {},
  }));
  await rejects(get(`${site.origin}/a`), /status 302/);
  deepStrictEqual(site.requests, ["/a"]);
});

Deno.test("fetchJson() reads no more than 256 KiB, however much is sent", async () => {
  let sent = 0;
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
  await using site = serveDocuments(() => ({ "/a": new Response(endless()) }));
  await rejects(get(`${site.origin}/a`), /more than 262144 bytes/);
  strictEqual(sent < 10_000_000, true);
});

Deno.test("fetchJson() ends with its signal", async () => {
  const asked = Promise.withResolvers<void>();
  await using site = serveDocuments(() => {
    asked.resolve();
    return { "/a": new Response(new ReadableStream()) };
  });
  const closing = new AbortController();
  const fetched = fetchJson(`${site.origin}/a`, closing.signal);
  await asked.promise;
  closing.abort();
  await rejects(fetched, /Cannot fetch/);
});

const GARBAGE_BYTES = 64 * 1024 * 1024;

/** Lets the garbage collector run several times, also after a response that is on its way. */
async function collectGarbage(): Promise<void> {
  for (let times = 0; times < 20; times++) {
    new Uint8Array(GARBAGE_BYTES).fill(times);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

Deno.test("fetchJson() stops reading a body that has no end, also after a garbage collection", async () => {
  const closing = new AbortController();
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const options = { hostname: "127.0.0.1", port: 0, signal: closing.signal, onListen() {} };
  const server = Deno.serve(options, () => {
    resolve();
    return new Response(
      new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode("{")) }),
    );
  });
  const stop = new AbortController();
  const fetched = fetchJson(`http://127.0.0.1:${server.addr.port}/keys`, stop.signal);
  const refused = rejects(fetched, /^Error: Cannot fetch "http:.+\/keys": it did not answer/);
  try {
    await asked;
    await collectGarbage();
    stop.abort();
    ok(await within(refused, 10_000), "it still waits for the body");
  } finally {
    closing.abort();
    await server.finished;
  }
});
