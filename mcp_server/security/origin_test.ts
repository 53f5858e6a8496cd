import { strictEqual } from "node:assert/strict";
import { checkOrigin } from "./origin.ts";

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
    "https://localhost:1234",
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
