import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { type FindKey, IssuerKeys, KeysUnavailable } from "./issuer_keys.ts";

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
