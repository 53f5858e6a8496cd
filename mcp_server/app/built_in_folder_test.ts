import { strictEqual, throws } from "node:assert/strict";
import { builtInFolder } from "./load_tools.ts";

const FOLDERS: readonly [name: string, moduleUrl: string, folder: string][] = [
  ["a repository", "file:///srv/trestle/mcp_server/app.ts", "/srv/trestle/tools"],
  ["a folder with odd letters", "file:///srv/a%20b/mcp_server/app.ts", "/srv/a b/tools"],
  [
    "a compiled server",
    "file:///tmp/deno-compile-trestle-mcp/mcp_server/app.ts",
    "/tmp/deno-compile-trestle-mcp/tools",
  ],
];

for (const [name, moduleUrl, folder] of FOLDERS) {
  Deno.test(`builtInFolder() finds the tools of ${name}`, () => {
    strictEqual(builtInFolder(moduleUrl), folder);
  });
}

Deno.test("builtInFolder() reports that a published package has no tools", () => {
  throws(
    () => builtInFolder("https://example.org/@trestle/mcp-server/0.1.0/app.ts"),
    /^RangeError: Cannot load the built-in tools from "https:.*\/tools": .*builtInTools: false/,
  );
});
