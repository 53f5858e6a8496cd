import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { createHmac } from "node:crypto";
import {
  checkHostKey,
  findKnownHosts,
  fingerprintOf,
  hostKeyAlgorithms,
  knownTypes,
} from "./known_hosts.ts";

/** The blob of a key of a type; its content does not matter here. */
function keyOf(type: string, content: string): Uint8Array {
  const text = new TextEncoder().encode(type);
  return new Uint8Array([0, 0, 0, text.length, ...text, ...new TextEncoder().encode(content)]);
}

function line(names: string, key: Uint8Array, type = "ssh-ed25519"): string {
  return `${names} ${type} ${key.toBase64()}`;
}

function hashed(name: string): string {
  const salt = crypto.getRandomValues(new Uint8Array(20));
  const mac = createHmac("sha1", salt).update(name).digest("base64");
  return `|1|${salt.toBase64()}|${mac}`;
}

const A = keyOf("ssh-ed25519", "a");
const B = keyOf("ssh-ed25519", "b");
const RSA = keyOf("ssh-rsa", "r");

const CASES: readonly [what: string, lines: string[], kind: string][] = [
  ["nothing", [], "unknown"],
  ["a plain name", [line("h", A)], "known"],
  ["another case", [line("H", A)], "known"],
  ["one name of several", [line("x,h,y", A)], "known"],
  ["a comment after the key", [`${line("h", A)} root@h`], "known"],
  ["a NUL after the key", [`${line("h", A)}\0x`], "known"],
  ["a NUL before the key", [`\0${line("h", A)}`], "unknown"],
  ["another port", [line("[h]:2222", A)], "unknown"],
  ["a hashed name", [line(hashed("h"), A)], "known"],
  ["the hash of another name", [line(hashed("x"), A)], "unknown"],
  ["a wildcard", [line("*", A)], "known"],
  ["a negated name", [line("*,!h", A)], "unknown"],
  ["another key", [line("h", B)], "changed"],
  ["another hashed key", [line(hashed("h"), B)], "changed"],
  ["one of several keys", [line("h", B), line("h", A)], "known"],
  ["a key of another type only", [line("h", RSA, "ssh-rsa")], "changed"],
  ["a revoked key", [line("h", A), `@revoked ${line("*", A)}`], "revoked"],
  ["another revoked key", [line("h", A), `@revoked ${line("*", B)}`], "known"],
  ["a revoked key of another host", [line("h", A), `@revoked ${line("x", A)}`], "known"],
  ["an authority", [`@cert-authority ${line("*", B)}`], "authority"],
  ["the authority's own key", [`@cert-authority ${line("*", A)}`], "authority"],
  [
    "an authority in addition to the key",
    [`@cert-authority ${line("*", B)}`, line("h", A)],
    "known",
  ],
  ["an unknown marker", [`@other ${line("h", A)}`], "unknown"],
  ["a comment", [`# ${line("h", A)}`], "unknown"],
  ["a type that is not the key's", [line("h", A, "ssh-rsa")], "unknown"],
  [
    "a marker that is none, followed by a pattern that fits",
    [`@!x,* ${line("", A).trim()}`],
    "unknown",
  ],
  ["a key with something at its end", [`${line("h", A)}\r=`], "unknown"],
  ["a key that white space splits", [line("h", A).replace("AAAA", "AA\rAA")], "known"],
  [
    "a revoked key that white space splits",
    [`@revoked ${line("h", A)}`.replace("AAAA", "A\vAAA")],
    "revoked",
  ],
  [
    "a key without its padding",
    [line("h", keyOf("ssh-ed25519", "ab")).replace(/=+$/, "")],
    "unknown",
  ],
  ["a key at the end of a line of Windows", [`${line("h", A)}\r`], "known"],
  ["a name after a space that is not ASCII", [`\u00a0${line("h", A)}`], "unknown"],
  ["names that no white space of ASCII ends", [`h\u00a0${line("x", A)}`], "unknown"],
  ["what is not base64", ["h ssh-ed25519 A"], "unknown"],
];

for (const [what, lines, kind] of CASES) {
  Deno.test(`checkHostKey() finds ${kind}: ${what}`, async () => {
    const hosts = await findKnownHosts(lines.join("\n"), "h");
    strictEqual(checkHostKey(hosts, A).kind, kind);
  });
}

Deno.test("checkHostKey() reports which keys are known if the host presents another", async () => {
  const text = [line("h", B), line("h", RSA, "ssh-rsa")].join("\r\n");
  deepStrictEqual(checkHostKey(await findKnownHosts(text, "h"), A), {
    kind: "changed",
    known: [B, RSA],
  });
});

Deno.test("knownTypes() and hostKeyAlgorithms() put the algorithms of known keys first", async () => {
  const text = [line("h", RSA, "ssh-rsa"), `@revoked ${line("h", A)}`].join("\n");
  const algorithms = hostKeyAlgorithms(knownTypes(await findKnownHosts(text, "h")));
  deepStrictEqual(algorithms.slice(0, 3), ["rsa-sha2-512", "rsa-sha2-256", "ssh-ed25519"]);
  strictEqual(algorithms.length, 6);
});

Deno.test("fingerprintOf() returns what ssh-keygen prints", () => {
  const blob = "AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl";
  strictEqual(
    fingerprintOf(Uint8Array.fromBase64(blob)),
    "SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU",
  );
});

Deno.test("findKnownHosts() lets other work continue while it searches many hashed names", async () => {
  const text = `${`${line(hashed("x"), A)}\n`.repeat(10_000)}${line(hashed("h"), B)}`;
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const found = await findKnownHosts(text, "h");
  clearInterval(timer);
  deepStrictEqual(found, [{ marker: undefined, type: "ssh-ed25519", key: B }]);
  ok(turns > 1, `${turns} turns`);
});
