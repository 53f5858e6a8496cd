import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createHash } from "node:crypto";
import { DEFAULT_CALLER } from "./caller.ts";
import { createTokenCheck } from "./token_check.ts";

const TOKEN = "0123456789abcdef";

Deno.test("createTokenCheck() knows the caller of a good token, whatever the scheme's case", () => {
  const check = createTokenCheck([TOKEN]);
  for (const scheme of ["Bearer", "bearer", "BEARER", "bEaReR"]) {
    deepStrictEqual(check(`${scheme} ${TOKEN}`), { ok: true, caller: DEFAULT_CALLER });
  }
});

Deno.test("createTokenCheck() accepts two tokens of one caller during a rotation", () => {
  const check = createTokenCheck([TOKEN, "new-token"]);
  for (const token of [TOKEN, "new-token"]) {
    deepStrictEqual(check(`Bearer ${token}`), { ok: true, caller: DEFAULT_CALLER });
  }
});

Deno.test("createTokenCheck() asks for holders of other tokens, and is never open then", () => {
  const ci = { caller: { name: "ci" }, revoked: new AbortController().signal };
  const digest = createHash("sha256").update("ci-token").digest("hex");
  const holders = {
    findByDigest: (given: Uint8Array) => given.toHex() === digest ? ci : undefined,
  };
  for (const tokens of [[], [TOKEN]]) {
    const check = createTokenCheck(tokens, holders);
    deepStrictEqual(check("Bearer ci-token"), { ok: true, ...ci });
    strictEqual(check("Bearer other-token").ok, false);
    strictEqual(check(null).ok, false);
    strictEqual(check(`Bearer ${TOKEN}`).ok, tokens.length > 0);
  }
});

Deno.test("createTokenCheck() gives a token that has a holder no more rights than the holder's", () => {
  const ci = { caller: { name: "ci" } };
  const check = createTokenCheck([TOKEN, "other"], {
    findByDigest: (given) =>
      given.toHex() === createHash("sha256").update(TOKEN).digest("hex") ? ci : undefined,
  });
  deepStrictEqual(check(`Bearer ${TOKEN}`), { ok: true, ...ci });
  deepStrictEqual(check("Bearer other"), { ok: true, caller: DEFAULT_CALLER });
});

Deno.test("createTokenCheck() rejects malformed tokens", () => {
  const check = createTokenCheck([TOKEN]);
  const malformed = [
    null,
    "",
    " ",
    "Bearer",
    "Bearer ",
    TOKEN,
    `Basic ${TOKEN}`,
    `Bearer${TOKEN}`,
    `Bearer\t${TOKEN}`,
    `Bearer ${TOKEN} `,
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Bearer ${TOKEN.toUpperCase()}`,
    `Bearer ${TOKEN}, Bearer ${TOKEN}`,
    `Bearer "${TOKEN}"`,
    `Bearer ${TOKEN}\0`,
    `Bearer ${"a".repeat(100_000)}`,
    "Bearer undefined",
    "Bearer __proto__",
    "Bearer ÿ",
  ];
  for (const authorization of malformed) {
    const verdict = check(authorization);
    strictEqual(verdict.ok, false, JSON.stringify(authorization)?.slice(0, 60));
  }
});

Deno.test("createTokenCheck() without tokens lets nobody pass", () => {
  const check = createTokenCheck([]);
  for (const authorization of [null, "", "Bearer ", `Bearer ${TOKEN}`]) {
    strictEqual(check(authorization).ok, false);
  }
});
