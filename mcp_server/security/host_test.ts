import { strictEqual } from "node:assert/strict";
import { checkHost, createHostRule, isLoopback } from "./host.ts";

const HOSTILE = [
  null,
  "",
  "evil.example",
  "evil.example:1234",
  "localhost.evil.example",
  "localhost@evil.example",
  "evil.example@localhost",
  "127.0.0.1.evil.example",
  "localhost:1234:1234",
  "localhost:port",
  "localhost, evil.example",
  "localhost/",
  "local host",
  "http://localhost",
  "[::1",
  "[::1]evil",
  "0x7f.1",
  "192.168.0.1",
];

Deno.test("checkHost() lets a loopback server's own names pass, with any port", () => {
  const rule = createHostRule("127.0.0.1", []);
  for (const host of ["localhost", "LOCALHOST:1234", "127.0.0.1", "127.0.0.1:80", "[::1]:1234"]) {
    strictEqual(checkHost(host, rule).ok, true, host);
  }
});

Deno.test("checkHost() rejects every other name", () => {
  const rule = createHostRule("127.0.0.1", []);
  for (const host of HOSTILE) strictEqual(checkHost(host, rule).ok, false, String(host));
});

Deno.test("checkHost() accepts the operator's names, with a port only if one is set", () => {
  const rule = createHostRule("127.0.0.1", ["Tools.example", "other.example:8443"]);
  strictEqual(checkHost("tools.example:9", rule).ok, true);
  strictEqual(checkHost("other.example:8443", rule).ok, true);
  strictEqual(checkHost("other.example:8444", rule).ok, false);
});

Deno.test("checkHost() on all interfaces accepts addresses, which can't be rebound, but no names", () => {
  const rule = createHostRule("0.0.0.0", []);
  strictEqual(checkHost("192.168.0.1:1234", rule).ok, true);
  strictEqual(checkHost("[2001:db8::1]:1234", rule).ok, true);
  strictEqual(checkHost("evil.example", rule).ok, false);
});

Deno.test("isLoopback() recognizes addresses that only this machine reaches", () => {
  for (const host of ["localhost", "127.0.0.1", "127.1.2.3", "::1"]) {
    strictEqual(isLoopback(host), true);
  }
  for (const host of ["0.0.0.0", "::", "127.evil.example", "10.0.0.1"]) {
    strictEqual(isLoopback(host), false, host);
  }
});
