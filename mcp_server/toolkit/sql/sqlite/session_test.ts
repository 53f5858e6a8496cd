import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { sqliteWorkerCommand } from "./session.ts";

const ENV: Readonly<Record<string, string>> = { HOME: "/home/a", MCP_TOKEN: "secret" };

Deno.test("sqliteWorkerCommand() runs the worker with deno, with file permissions only", () => {
  const runtime = { standalone: false, execPath: "/usr/bin/deno" };
  const { program, args, env } = sqliteWorkerCommand(runtime, (name) => ENV[name]);
  strictEqual(program, "/usr/bin/deno");
  deepStrictEqual([args[0], args.at(-1)], ["run", import.meta.resolve("./main.ts")]);
  deepStrictEqual(args.filter((arg) => arg.startsWith("--allow")), [
    "--allow-read",
    "--allow-write",
  ]);
  deepStrictEqual(env, { HOME: "/home/a" });
});

Deno.test("sqliteWorkerCommand() starts a compiled server itself instead of deno", () => {
  const runtime = { standalone: true, execPath: "/usr/local/bin/trestle-mcp" };
  deepStrictEqual(sqliteWorkerCommand(runtime, (name) => ENV[name]), {
    program: "/usr/local/bin/trestle-mcp",
    args: ["--sqlite-worker"],
    env: { HOME: "/home/a" },
  });
});
