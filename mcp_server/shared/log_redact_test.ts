import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createRedactor, secretsOf } from "./log.ts";

Deno.test("createRedactor() redacts secrets in texts, the longest first", () => {
  const { text } = createRedactor(["hunter2", "hunter2-and-more"]);
  strictEqual(text("a hunter2-and-more b hunter2"), "a [redacted] b [redacted]");
});

Deno.test("createRedactor() redacts values whose key names a secret, at every depth", () => {
  const { replacer } = createRedactor([]);
  const text = JSON.stringify({ a: { apiKey: 1, Authorization: { b: "y" }, path: "z" } }, replacer);
  strictEqual(text, '{"a":{"apiKey":"[redacted]","Authorization":"[redacted]","path":"z"}}');
});

Deno.test("createRedactor() shows by which names a call asks for secrets, and no values", () => {
  const { replacer } = createRedactor([]);
  const text = JSON.stringify(
    { a: { secrets: ["NPM_TOKEN"] }, b: { secrets: ["hunter2"] } },
    replacer,
  );
  strictEqual(text, '{"a":{"secrets":["NPM_TOKEN"]},"b":{"secrets":"[redacted]"}}');
});

Deno.test("createRedactor() masks what is logged in addition, and not the texts for callers", () => {
  const { replacer, text } = createRedactor(["hunter2"], (text) => text.replaceAll("npm", "[A]"));
  strictEqual(JSON.stringify({ a: ["npm hunter2"] }, replacer), '{"a":["[A] [redacted]"]}');
  strictEqual(text("npm hunter2"), "npm [redacted]");
});

Deno.test("createRedactor() ignores secrets that are too short to distinguish from a word", () => {
  strictEqual(createRedactor(["a", ""]).text("banana"), "banana");
});

Deno.test("secretsOf() uses a password unchanged if it can't be decoded", () => {
  const secrets = secretsOf({ DATABASE_URL: "postgres://u:100%@h/db", MCP_TOKEN: "one, two" });
  deepStrictEqual(secrets, ["postgres://u:100%@h/db", "100%", "100%", "one", "two"]);
});

Deno.test("secretsOf() leaves the passwords of other programs alone", () => {
  deepStrictEqual(secretsOf({ MYSQL_PASSWORD: "root", PASSWORD_STORE_DIR: "/store" }), []);
});

Deno.test("secretsOf() finds the server's secrets and the passwords inside its URLs", () => {
  const secrets = secretsOf({
    MCP_TOKEN: "one,two",
    DATABASE_URL: "postgres://user:p%40ss@db/name",
    PGPASSWORD: "pg",
    MCP_SSH_PASSPHRASE: "phrase",
    MCP_DATABASE_LOGS: "sqlite:///data/logs",
    MCP_SSH_PASSWORD: "",
    HOME: "/root",
  });
  deepStrictEqual(secrets, [
    "one",
    "two",
    "postgres://user:p%40ss@db/name",
    "p%40ss",
    "p@ss",
    "pg",
    "phrase",
    "sqlite:///data/logs",
  ]);
});
