import { deepStrictEqual } from "node:assert/strict";
import { ROOT } from "../test_support/root.ts";

const PROGRAM = `
import { createRequire } from "node:module";
import { createApp, DEFAULT_CALLER, parseConfig } from "./mcp_server/mod.ts";
const { cache } = createRequire(import.meta.url);
const isLoaded = () => Object.keys(cache).some((file) => file.includes("/ssh2/"));
const app = await createApp(parseConfig(["--log-level", "error"], { HOME: "/nonexistent" }, 2));
const before = isLoaded();
const args = { connections: [{ host: "127.0.0.1:1", username: "root", commands: ["true"] }] };
await app.service.call("ssh-exec", args, {
  transport: "embedded",
  client: new AbortController(),
  caller: DEFAULT_CALLER,
});
console.log(JSON.stringify([before, isLoaded()]));
Deno.exit(0);
`;

Deno.test("ssh-exec loads ssh2 with its first call, not with the server", async () => {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", "--ext=ts", "--no-lock", PROGRAM],
    cwd: ROOT,
    env: { MCP_AUDIT_FILE: "/dev/null" },
  }).output();
  const text = new TextDecoder().decode(stdout);
  deepStrictEqual(JSON.parse(text || new TextDecoder().decode(stderr)), [false, true]);
});
