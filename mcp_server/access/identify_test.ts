import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { CODES } from "../http/problem.ts";
import { createOAuthIdentify, type OAuthParts, type OAuthVerdict } from "./identify.ts";
import type { Identification } from "./caller.ts";
import { digestOf } from "./token_check.ts";

const ISSUER = "https://login.example.org";
const VERDICTS: Readonly<Record<string, OAuthVerdict>> = {
  good: { ok: true, identity: { subject: "auth0|1", scopes: ["tools:read"] } },
  stranger: { ok: true, identity: { subject: "auth0|2", scopes: ["admin"] } },
  down: { ok: false, status: 503, reason: "not now", retryAfterSeconds: 2 },
};
const WRONG: OAuthVerdict = { ok: false, status: 401, reason: "The token has expired" };
const STATIC: Identification = { ok: true, caller: { name: "default" } };

function identifyWith(parts: Partial<OAuthParts> = {}) {
  return createOAuthIdentify({
    findOther: (digest) => digestOf("static").equals(digest) ? STATIC : undefined,
    issuer: ISSUER,
    resource: "https://tools.example.org/mcp",
    verify: (token) => VERDICTS[token] ?? WRONG,
    ...parts,
  });
}

/** The identification of a header, which must be there at once. */
function now(identity: Identification | Promise<Identification>): Identification {
  if (identity instanceof Promise) throw new Error("Cannot wait");
  return identity;
}

Deno.test("createOAuthIdentify() lets static tokens pass, without a check of OAuth", () => {
  const verify = () => {
    throw new Error("Cannot check a static token");
  };
  deepStrictEqual(identifyWith({ verify })("Bearer static"), STATIC);
});

Deno.test("createOAuthIdentify() names every subject after its issuer if there is no file", () => {
  deepStrictEqual(identifyWith()("Bearer good"), {
    ok: true,
    caller: { name: `${ISSUER}#auth0|1`, scopes: ["tools:read"] },
  });
});

Deno.test("createOAuthIdentify() joins the scopes of a token with the caller of its subject", () => {
  const rights = { tools: ["*"], hosts: [], databases: {}, paths: [], admin: false };
  const alice = { name: "alice", rights };
  const { signal: revoked } = new AbortController();
  const findCaller = (subject: string) =>
    subject === "auth0|1" ? { caller: alice, revoked } : undefined;
  const identify = identifyWith({ findCaller });
  deepStrictEqual(identify("Bearer good"), {
    ok: true,
    caller: { ...alice, scopes: ["tools:read"] },
    revoked,
  });
  const refused = now(identify("Bearer stranger"));
  ok(!refused.ok);
  deepStrictEqual([CODES[refused.code].status, refused.code, refused.challenge], [
    403,
    "NOT_ALLOWED",
    undefined,
  ]);
});

Deno.test("createOAuthIdentify() challenges for what another token could cure, and nothing else", () => {
  const identify = identifyWith();
  const CASES = [
    [null, 401, /^Bearer resource_metadata=".*", scope="tools:read"$/],
    ["Basic x", 401, /^Bearer resource_metadata=/],
    ["Bearer", 400, /^Bearer error="invalid_request"/],
    ["bearer a b", 400, /^Bearer error="invalid_request"/],
    ["Bearer x", 401, /^Bearer error="invalid_token".*"The token has expired"$/],
    ["Bearer down", 503, /^$/],
  ] as const;
  for (const [header, status, challenge] of CASES) {
    const refused = now(identify(header));
    ok(!refused.ok);
    strictEqual(CODES[refused.code].status, status, String(header));
    ok(challenge.test(refused.challenge ?? ""), `${header}: ${refused.challenge}`);
    strictEqual(refused.retryAfterSeconds, status === 503 ? 2 : undefined);
  }
});

Deno.test("createOAuthIdentify() answers without a promise unless a check takes time", async () => {
  const identify = identifyWith({ verify: () => Promise.resolve(WRONG) });
  ok(!(identify("Bearer static") instanceof Promise));
  ok(!(identify(null) instanceof Promise));
  const later = identify("Bearer x");
  ok(later instanceof Promise);
  strictEqual((await later).ok, false);
});
