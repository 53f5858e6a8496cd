import { strictEqual } from "node:assert/strict";
import { VerifiedTokens } from "./token_verifier.ts";

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
