import { strictEqual } from "node:assert/strict";
import { VerifiedTokens } from "./verified_tokens.ts";

const identity = { subject: "a", scopes: [] };

Deno.test("VerifiedTokens remembers a token for a minute, but not after it expires", () => {
  let now = 1_000_000;
  const known = new VerifiedTokens(() => now);
  known.add("long", { identity, expiresAt: now + 3_600_000 });
  known.add("short", { identity, expiresAt: now + 10_000 });
  known.add("gone", { identity, expiresAt: now - 1 });
  strictEqual(known.get("long"), identity);
  strictEqual(known.get("short"), identity);
  strictEqual(known.get("gone"), undefined);
  strictEqual(known.get("longer"), undefined);
  now += 9_999;
  strictEqual(known.get("short"), identity);
  now += 1;
  strictEqual(known.get("short"), undefined);
  now += 49_999;
  strictEqual(known.get("long"), identity);
  now += 1;
  strictEqual(known.get("long"), undefined);
});

Deno.test("VerifiedTokens remembers the last thousand", () => {
  const known = new VerifiedTokens(() => 0);
  for (let at = 0; at < 1_500; at++) known.add(`token-${at}`, { identity, expiresAt: 60_000 });
  const kept = Array.from({ length: 1_500 }, (_, at) => known.get(`token-${at}`) !== undefined);
  strictEqual(kept.indexOf(true), 500);
  strictEqual(kept.filter(Boolean).length, 1_000);
});
