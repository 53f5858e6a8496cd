import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { audiencesOf, metadataPathsOf, metadataUrlOf, whyNotCanonical } from "./resource.ts";

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
