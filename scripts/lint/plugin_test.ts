import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import plugin from "./plugin.ts";

const ROOT = new URL("../../", import.meta.url);

function messagesOf(path: string, source: string): string[] {
  const filename = fileURLToPath(new URL(path, ROOT));
  return Deno.lint.runPlugin(plugin, filename, source).map(({ message }) => message);
}

const ACCEPTED: readonly [rule: string, path: string, source: string][] = [
  ["main -> app", "mcp_server/main.ts", 'import "./app.ts";'],
  ["app -> calls", "mcp_server/app.ts", 'import "./calls/audit.ts";'],
  ["calls -> tool", "mcp_server/calls/audit.ts", 'export * from "../tool/tool.ts";'],
  ["a layer imports itself", "mcp_server/calls/audit.ts", 'import "./refusals.ts";'],
  ["the innermost folder counts", "mcp_server/jobs/sqlite/a.ts", 'import "../job_store.ts";'],
  ["a layer imports its folder", "mcp_server/toolkit.ts", 'import "./toolkit/run.ts";'],
  ["http -> access", "mcp_server/http/body.ts", 'import "../access/caller.ts";'],
  ["an outer layer uses packages", "mcp_server/run/find.ts", 'import "node:url"; Deno.pid;'],
  ["tool uses zod", "mcp_server/tool/schema.ts", 'import * as z from "zod";'],
  ["a subpath of zod", "mcp_server/tool/schema.ts", 'import * as z from "zod/v4";'],
  ["a manifest is not a layer", "mcp_server/version.ts", 'import m from "./deno.json" with {};'],
  ["tools -> toolkit", "tools/echo.ts", 'import { z } from "@trestle/mcp-server/toolkit";'],
  ["a tool uses packages", "tools/echo.ts", 'import "node:fs"; import "ssh2";'],
  ["fields -> relay", "mirage_graphql/fields/list.ts", 'import "../relay/slice.ts";'],
  ["use_api imports vue", "api_wrapper/use_api.ts", 'import { ref } from "vue";'],
  ["a test imports anything", "tools/echo_test.ts", 'import "../mcp_server/testing/call.ts";'],
  ["so may a type test", "api_wrapper/api_types_test.ts", 'import "./testing/server.ts";'],
  ["a test imports test_support", "tools/echo_test.ts", 'import "../test_support/root.ts";'],
  ["scripts import test_support", "scripts/a_test.ts", 'import "../test_support/root.ts";'],
  ["so may a benchmark", "mcp_server/bench/main.ts", 'import "../app.ts"; Deno.exit(0);'],
  ["so may a fixture", "mcp_server/testdata/tools/echo.ts", 'import "../../app.ts";'],
  ["an example imports anything", "mcp_server/examples/a.ts", 'import "../../tools/echo.ts";'],
  ["scripts import components", "scripts/build.ts", 'import "../mcp_server/version.ts";'],
  ["main touches the outside", "mcp_server/main.ts", "Deno.exit(run(Deno.args, Deno.env));"],
  ["a tool touches the outside", "tools/echo.ts", 'Deno.env.get("HOME");'],
  ["the form of a message", "tools/echo.ts", 'throw new Error(`Cannot read "${p}": gone`);'],
  ["an interpolated action", "tools/echo.ts", "throw new ToolError(`Cannot ${action} it`);"],
  ["a message from elsewhere", "tools/echo.ts", "throw new Error(messageOf(cause));"],
  ["a message that starts with a value", "tools/echo.ts", "new Error(`${what}: ${why}`);"],
  ["an error with a code first", "tools/echo.ts", 'new ProtocolError(CODE, "Any text.");'],
  ["an ellipsis", "tools/echo.ts", 'new Error("Cannot read a, b, ...");'],
  ["not an error", "tools/echo.ts", 'new Response("Not found.");'],
  ["a test's own error", "tools/echo_test.ts", 'throw new Error("boom.");'],
  ["a file with a name", "mcp_server/tool/utility_types.ts", ""],
];

for (const [rule, path, source] of ACCEPTED) {
  Deno.test(`the lint plugin accepts: ${rule}`, () => {
    deepStrictEqual(messagesOf(path, source), []);
  });
}

const REFUSED: readonly [rule: string, path: string, source: string, message: RegExp][] = [
  [
    "tool -> calls",
    "mcp_server/tool/tool.ts",
    'import type { A } from "../calls/audit.ts";',
    /^Cannot import "..\/calls\/audit.ts": mcp_server\/tool must not point to calls, its arrows are: access, shared$/,
  ],
  [
    "api -> calls",
    "mcp_server/api/routes.ts",
    'import "../calls/audit.ts";',
    /must not point to calls, its arrows are: access, http, shared, tool$/,
  ],
  ["a re-export", "mcp_server/tool/a.ts", 'export * from "../app.ts";', /point to app/],
  ["a named re-export", "mcp_server/tool/a.ts", 'export { b } from "../app.ts";', /point to app/],
  ["a lazy import", "mcp_server/tool/a.ts", 'await import("../app.ts");', /point to app/],
  [
    "an import in a type",
    "mcp_server/tool/a.ts",
    'type A = import("../app.ts").A;',
    /point to app/,
  ],
  ["main -> calls", "mcp_server/main.ts", 'import "./calls/audit.ts";', /point to calls/],
  ["tool -> node:", "mcp_server/tool/a.ts", 'import "node:fs";', /is pure, it imports zod$/],
  [
    "tool -> Deno",
    "mcp_server/tool/a.ts",
    "Deno.cwd();",
    /^Cannot use "Deno.cwd": .* is pure$/,
  ],
  [
    "a folder -> its subfolder",
    "mcp_server/tool/a.ts",
    'import "./loading/b.ts";',
    /tool\/loading/,
  ],
  ["a name like zod", "mcp_server/tool/a.ts", 'import "zod-plus";', /is pure/],
  ["a file without a place", "mcp_server/stuff.ts", "", /names no layer "stuff"$/],
  [
    "a tool -> the server",
    "tools/echo.ts",
    'import "../mcp_server/tool/a.ts";',
    /by its package name/,
  ],
  [
    "a tool -> a tool",
    "tools/echo.ts",
    'import "./bash-script.ts";',
    /must not point to bash-script/,
  ],
  ["a tool -> mod", "tools/echo.ts", 'import "@trestle/mcp-server";', /that package, its arrows/],
  [
    "a detour by the package name",
    "mcp_server/run/a.ts",
    'import "@trestle/mcp-server/toolkit";',
    /mcp_server\/run must not point to that package/,
  ],
  [
    "a component -> a component",
    "api_wrapper/api.ts",
    'import "../mirage_graphql/mod.ts";',
    /another component is imported by its package name/,
  ],
  ["a component -> tools", "mcp_server/app.ts", 'import "../tools/a.ts";', /another component/],
  ["a source -> a test", "mcp_server/app.ts", 'import "./app_test.ts";', /only tests import tests/],
  ["a script -> testing", "scripts/a.ts", 'import "../mcp_server/testing/a.ts";', /only tests/],
  ["a component -> scripts", "mcp_server/app.ts", 'import "../scripts/a.ts";', /test_support/],
  ["a test -> scripts", "tools/a_test.ts", 'import "../scripts/a.ts";', /is in test_support/],
  [
    "testing -> scripts",
    "api_wrapper/testing/a.ts",
    'import "../../scripts/a.ts";',
    /is in test_s/,
  ],
  ["test_support -> scripts", "test_support/a.ts", 'import "../scripts/a.ts";', /no other folder/],
  ["its tests -> tools", "test_support/a_test.ts", 'import "../tools/a.ts";', /no other folder/],
  ["an example -> testing", "tools/examples/a.ts", 'import "../testing/a.ts";', /only tests/],
  ["relay -> orm", "mirage_graphql/relay/slice.ts", 'import "../orm/find.ts";', /point to orm/],
  ["api -> vue", "api_wrapper/api.ts", 'import { ref } from "vue";', /is pure/],
  [
    "the environment beside main",
    "mcp_server/run/a.ts",
    'Deno.env.get("HOME");',
    /^Cannot use "Deno.env" here: only mcp_server\/main.ts may$/,
  ],
  ["arguments beside main", "mcp_server/app.ts", "run(Deno.args);", /"Deno.args"/],
  ["an exit beside main", "mcp_server/app.ts", "process.exit(1);", /"process.exit"/],
  [
    "a message in another form",
    "tools/echo.ts",
    'throw new TypeError("Invalid path");',
    /must start with "Cannot <action>"$/,
  ],
  ["a template in another form", "tools/echo.ts", "new ToolError(`no ${a}`);", /must start/],
  ["a sum in another form", "tools/echo.ts", 'new Error("bad " + a);', /must start/],
  ["a final period", "tools/echo.ts", "new Error(`Cannot read ${a}.`);", /no final period$/],
  ["a sum with a final period", "tools/echo.ts", 'new Error("Cannot " + a + ".");', /no final/],
  ["a message of several errors", "tools/echo.ts", 'new AggregateError([], "bad");', /must start/],
  [
    "a message in an error's own class",
    "tools/echo.ts",
    'class AError extends Error { constructor() { super("bad"); } }',
    /must start/,
  ],
  [
    "a utils file",
    "mcp_server/tool/utils.ts",
    "",
    /^Cannot name a file "mcp_server\/tool\/utils.ts"/,
  ],
  ["a helpers folder", "scripts/helpers/a.ts", "", /^Cannot name a file/],
];

for (const [rule, path, source, message] of REFUSED) {
  Deno.test(`the lint plugin rejects: ${rule}`, () => {
    const messages = messagesOf(path, source);
    strictEqual(messages.length, 1, messages.join("\n"));
    match(messages[0] ?? "", message);
  });
}
