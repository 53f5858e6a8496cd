import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import {
  audiencesOf,
  metadataPathsOf,
  metadataUrlOf,
  metadataUrlsOf,
  toHeaderValue,
  whyNotCanonical,
  whyNotIssuer,
} from "./oauth_settings.ts";

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

Deno.test("whyNotCanonical() accepts the one way to write a URI", () => {
  for (
    const good of [
      "https://tools.example.org",
      "https://tools.example.org/mcp",
      "https://tools.example.org:8443/a/mcp",
      "http://127.0.0.1:1234/mcp",
      "http://localhost:1234",
      "http://[::1]:1234/mcp",
      "https://tools.example.org/Mixed",
    ]
  ) strictEqual(whyNotCanonical(good), undefined, good);
});

Deno.test("whyNotCanonical() says what is wrong with every other way", () => {
  const CASES = [
    ["", /must be a URL/],
    ["tools.example.org/mcp", /must be a URL/],
    ["http://tools.example.org/mcp", /must use https/],
    ["https://a:b@tools.example.org/mcp", /no user/],
    ["https://tools.example.org/mcp#part", /no fragment/],
    ["https://tools.example.org/mcp#", /no fragment/],
    ["https://tools.example.org/mcp?a=b", /no query/],
    ["https://tools.example.org/mcp/", /no slash at its end/],
    ["https://tools.example.org/", /no slash at its end/],
    ["HTTPS://tools.example.org/mcp", /write it as https:\/\/tools\.example\.org\/mcp/],
    ["https://Tools.Example.org/mcp", /write it as https:\/\/tools\.example\.org\/mcp/],
    ["https://tools.example.org:443/mcp", /write it as https:\/\/tools\.example\.org\/mcp/],
    ["https://tools.example.org/a/../mcp", /write it as https:\/\/tools\.example\.org\/mcp/],
    [" https://tools.example.org/mcp", /write it as/],
  ] as const;
  for (const [text, reason] of CASES) match(whyNotCanonical(text) ?? "", reason, text);
});

Deno.test("audiencesOf() takes an origin with a slash too, and a path only as it is", () => {
  deepStrictEqual(audiencesOf("https://a.example"), ["https://a.example", "https://a.example/"]);
  deepStrictEqual(audiencesOf("https://a.example/mcp"), ["https://a.example/mcp"]);
});

Deno.test("the metadata is at the path of the resource, of the endpoint, and at the root", () => {
  const base = "/.well-known/oauth-protected-resource";
  strictEqual(metadataUrlOf("https://a.example"), `https://a.example${base}`);
  strictEqual(metadataUrlOf("https://a.example:1/mcp"), `https://a.example:1${base}/mcp`);
  deepStrictEqual(metadataPathsOf("https://a.example"), [base, `${base}/mcp`]);
  deepStrictEqual(metadataPathsOf("https://a.example/mcp"), [`${base}/mcp`, base]);
  deepStrictEqual(metadataPathsOf("https://a.example/t"), [`${base}/t`, `${base}/mcp`, base]);
});

const metadataUrl = "https://a.example/.well-known/oauth-protected-resource/mcp";

Deno.test("toHeaderValue() names the metadata and the scopes, and an error only if there is one", () => {
  strictEqual(
    toHeaderValue({ scopes: ["tools:read"], metadataUrl }),
    `Bearer resource_metadata="${metadataUrl}", scope="tools:read"`,
  );
  strictEqual(
    toHeaderValue({
      error: "insufficient_scope",
      scopes: ["tools:write", "tools:exec"],
      metadataUrl,
      description: "The tool needs more",
    }),
    `Bearer error="insufficient_scope", resource_metadata="${metadataUrl}", ` +
      'scope="tools:write tools:exec", error_description="The tool needs more"',
  );
});

Deno.test("toHeaderValue() lets no text end its field or the header", () => {
  const description = 'a", scope="admin"\r\nSet-Cookie: x=y \\ é';
  strictEqual(
    toHeaderValue({ error: "invalid_token", scopes: [], metadataUrl, description }),
    `Bearer error="invalid_token", resource_metadata="${metadataUrl}", scope="", ` +
      `error_description="a', scope='admin'??Set-Cookie: x=y ? ?"`,
  );
});
