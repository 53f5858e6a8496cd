import { strictEqual } from "node:assert/strict";
import { checkHost, checkOrigin, createHostRule, isLoopback, TOKEN_FORM } from "./caller.ts";

Deno.test("TOKEN_FORM accepts what can be sent in a header, and nothing else", () => {
  for (const good of ["a", "A-Za-z0-9._~+/==", "dG9rZW4="]) {
    strictEqual(TOKEN_FORM.test(good), true);
  }
  for (const bad of ["", "a b", "a,b", "ä", "=a", "a\n"]) strictEqual(TOKEN_FORM.test(bad), false);
});

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

const RULE = { scheme: "http", allowed: new Set(["https://app.example"]) } as const;
const HOST = "localhost:1234";

Deno.test("checkOrigin() lets clients without an origin, its own pages and listed ones pass", () => {
  for (
    const origin of [null, "http://localhost:1234", "https://app.example", "HTTPS://APP.example"]
  ) {
    strictEqual(checkOrigin(origin, HOST, RULE).ok, true, String(origin));
  }
});

Deno.test("checkOrigin() rejects every other page", () => {
  const hostile = [
    "",
    "null",
    "http://evil.example",
    "http://localhost:9999",
    "http://localhost",
    "https://localhost",
    "https://localhost:12345",
    "http://localhost:1234.evil.example",
    "https://app.example.evil.example",
    "https://app.example:8443",
    "https://app.example, http://localhost:1234",
    "file://",
  ];
  for (const origin of hostile) strictEqual(checkOrigin(origin, HOST, RULE).ok, false, origin);
});

Deno.test("checkOrigin() without a Host treats no page as its own", () => {
  strictEqual(checkOrigin("http://null", null, RULE).ok, false);
  strictEqual(checkOrigin("http://undefined", null, RULE).ok, false);
});

Deno.test("checkOrigin() lets a page of the request's own host and port pass, by http or https", () => {
  const own = [
    ["https://localhost:1234", "localhost:1234"],
    ["https://tools.example", "tools.example"],
    ["http://tools.example", "tools.example"],
    ["https://TOOLS.example", "Tools.example:443"],
    ["http://tools.example", "tools.example:80"],
    ["https://[::1]:8443", "[::1]:8443"],
  ] as const;
  for (const [origin, host] of own) strictEqual(checkOrigin(origin, host, RULE).ok, true, origin);
  const foreign = [
    ["https://tools.example", "tools.example:1234"],
    ["https://tools.example", "tools.example:80"],
    ["http://tools.example", "tools.example:443"],
    ["https://tools.example:8443", "tools.example"],
    ["ftp://tools.example", "tools.example"],
  ] as const;
  for (const [origin, host] of foreign) {
    strictEqual(checkOrigin(origin, host, RULE).ok, false, `${origin} ${host}`);
  }
});

Deno.test("checkOrigin() of a server with TLS has no page of its own by http", () => {
  const rule = { ...RULE, scheme: "https" } as const;
  strictEqual(checkOrigin("https://tools.example", "tools.example", rule).ok, true);
  strictEqual(checkOrigin("http://tools.example", "tools.example", rule).ok, false);
  strictEqual(checkOrigin("http://localhost:1234", HOST, rule).ok, false);
});
