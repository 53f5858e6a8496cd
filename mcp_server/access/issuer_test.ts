import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { metadataUrlsOf, whyNotIssuer } from "./issuer.ts";

Deno.test("whyNotIssuer() accepts https, and http of this machine", () => {
  for (
    const good of [
      "https://login.example.org",
      "https://example.eu.auth0.com/",
      "https://login.example.org:8443/realms/team",
      "http://127.0.0.1:9000",
      "http://localhost:9000/tenant",
      "http://[::1]:9000",
    ]
  ) strictEqual(whyNotIssuer(good), undefined, good);
});

Deno.test("whyNotIssuer() says what is wrong with any other text", () => {
  const CASES = [
    ["", /must be a URL/],
    ["login.example.org", /must be a URL/],
    ["http://login.example.org", /must use https/],
    ["http://127.0.0.1.example.org", /must use https/],
    ["http://127.0.0.2", /must use https/],
    ["ftp://127.0.0.1", /must use https/],
    ["file:///etc/passwd", /must use https/],
    ["https://user@login.example.org", /no user/],
    ["https://:secret@login.example.org", /no user/],
    ["https://login.example.org?tenant=a", /no query/],
    ["https://login.example.org#a", /no query, no fragment/],
    ["https://login.example.org#", /no query, no fragment/],
    [" https://login.example.org", /no space/],
  ] as const;
  for (const [text, reason] of CASES) match(whyNotIssuer(text) ?? "", reason, text);
});

Deno.test("metadataUrlsOf() inserts the well-known part before the path, and last appends it", () => {
  deepStrictEqual(metadataUrlsOf("https://a.example"), [
    "https://a.example/.well-known/oauth-authorization-server",
    "https://a.example/.well-known/openid-configuration",
  ]);
  deepStrictEqual(metadataUrlsOf("https://a.example/"), metadataUrlsOf("https://a.example"));
  deepStrictEqual(metadataUrlsOf("https://a.example/realms/team"), [
    "https://a.example/.well-known/oauth-authorization-server/realms/team",
    "https://a.example/.well-known/openid-configuration/realms/team",
    "https://a.example/realms/team/.well-known/openid-configuration",
  ]);
});
