import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { sqliteCommand } from "./session.ts";

const ENV: Readonly<Record<string, string>> = { HOME: "/home/a", MCP_TOKEN: "secret" };

Deno.test("sqliteCommand() has deno run the file that hosts, with rights to files alone", () => {
  const runtime = { standalone: false, execPath: "/usr/bin/deno" };
  const { program, args, env } = sqliteCommand(runtime, (name) => ENV[name]);
  strictEqual(program, "/usr/bin/deno");
  deepStrictEqual([args[0], args.at(-1)], ["run", import.meta.resolve("./main.ts")]);
  deepStrictEqual(args.filter((arg) => arg.startsWith("--allow")), [
    "--allow-read",
    "--allow-write",
  ]);
  deepStrictEqual(env, { HOME: "/home/a" });
});

Deno.test("sqliteCommand() has a compiled server start itself, which is no deno", () => {
  const runtime = { standalone: true, execPath: "/usr/local/bin/trestle-mcp" };
  deepStrictEqual(sqliteCommand(runtime, (name) => ENV[name]), {
    program: "/usr/local/bin/trestle-mcp",
    args: ["--sqlite-host"],
    env: { HOME: "/home/a" },
  });
});
