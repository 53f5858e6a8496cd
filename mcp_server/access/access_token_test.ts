import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { ALGORITHMS, looksSigned, readClaims } from "./access_token.ts";

const CLAIMS = { sub: "auth0|123", scope: "tools:read" };

Deno.test("looksSigned() accepts three parts of base64url, and nothing else", () => {
  for (const good of ["a.b.c", "eyJ-_.eyJ-_.c"]) strictEqual(looksSigned(good), true, good);
  const BAD = [
    "",
    "a",
    "a.b",
    "a.b.",
    ".b.c",
    "a..c",
    "a.b.c.d",
    "a.b.c.d.e",
    "a.b.c\n",
    "a.b.c==",
  ];
  for (const bad of [...BAD, "a.b c.d", "a+/.b.c", "ä.b.c", `${"a".repeat(100_000)}.b.c`]) {
    strictEqual(looksSigned(bad), false, bad.slice(0, 20));
  }
});

Deno.test("ALGORITHMS has no algorithm whose key for checking can sign, and not none", () => {
  strictEqual(ALGORITHMS.some((name) => /^(HS|none|dir|A\d)/i.test(name)), false);
});

Deno.test("readClaims() reads the scopes as common issuers write them", () => {
  const CASES = [
    [{ scope: "tools:read  tools:exec" }, ["tools:read", "tools:exec"]],
    [{ scope: ["tools:read", 1, ""] }, ["tools:read"]],
    [{ scp: "tools:read tools:write" }, ["tools:read", "tools:write"]],
    [{ scp: ["tools:read"] }, ["tools:read"]],
    [{ scope: "", scp: ["admin"] }, []],
    [{ scope: { admin: true } }, []],
    [{}, []],
  ] as const;
  for (const [claims, scopes] of CASES) {
    const verdict = readClaims({}, { sub: "a", ...claims });
    deepStrictEqual(verdict, { ok: true, identity: { subject: "a", scopes } });
  }
});

Deno.test("readClaims() accepts the types of access tokens only", () => {
  for (const typ of [undefined, "JWT", "jwt", "at+jwt", "AT+JWT", "application/at+jwt"]) {
    strictEqual(readClaims({ typ }, CLAIMS).ok, true, String(typ));
  }
  for (const typ of ["logout+jwt", "dpop+jwt", "secevent+jwt", "JOSE", "", 1, null, ["JWT"]]) {
    const verdict = readClaims({ typ }, CLAIMS);
    match(verdict.ok ? "" : verdict.reason, /another type/, String(typ));
  }
});

Deno.test("readClaims() refuses tokens of the issuer that are no access tokens", () => {
  const CASES = [
    { at_hash: "x" },
    { c_hash: "x" },
    { s_hash: "x" },
    { events: {} },
    { token_use: "id" },
    { typ: "ID" },
    { typ: "Refresh" },
  ];
  for (const claims of CASES) {
    const verdict = readClaims({ typ: "JWT" }, { ...CLAIMS, ...claims });
    match(verdict.ok ? "" : verdict.reason, /not an access token/, JSON.stringify(claims));
  }
  strictEqual(readClaims({}, { ...CLAIMS, token_use: "access", typ: "Bearer" }).ok, true);
});

Deno.test("readClaims() refuses a token that only the holder of a key may use", () => {
  const verdict = readClaims({ typ: "at+jwt" }, { ...CLAIMS, cnf: { jkt: "x" } });
  match(verdict.ok ? "" : verdict.reason, /bound to a key/);
});

Deno.test("readClaims() requires a subject that can be written into one line", () => {
  for (const sub of [undefined, "", 1, ["a"], "a\nb", "a\0", "\u2028", "\ud800", "a".repeat(256)]) {
    const verdict = readClaims({}, { ...CLAIMS, sub });
    match(verdict.ok ? "" : verdict.reason, /sub must be/, JSON.stringify(sub)?.slice(0, 20));
  }
  strictEqual(readClaims({}, { ...CLAIMS, sub: "Zoë|1" }).ok, true);
});
