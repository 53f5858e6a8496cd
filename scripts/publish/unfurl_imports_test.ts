import { strictEqual } from "node:assert/strict";
import { unfurlImports } from "./unfurl_imports.ts";

const IMPORTS = { "a": "npm:a@^1.2.3", "@x/b": "npm:@x/b@~4.5.6" };

const SOURCES: readonly [name: string, source: string, result: string][] = [
  [
    "imports, exports and types",
    'import { c } from "a";\nexport * from "@x/b";\nimport type D from "a";\n' +
    'export * as e from "a";\nlet f: import("a").F;\n',
    'import { c } from "npm:a@^1.2.3";\nexport * from "npm:@x/b@~4.5.6";\n' +
    'import type D from "npm:a@^1.2.3";\nexport * as e from "npm:a@^1.2.3";\n' +
    'let f: import("npm:a@^1.2.3").F;\n',
  ],
  ["a subpath of a package", 'import "@x/b/c/d.js";', 'import "npm:@x/b@~4.5.6/c/d.js";'],
  ["dynamic imports", 'await import("a");', 'await import("npm:a@^1.2.3");'],
  ["no package of another name", 'import "ab"; import "@x/bc";', 'import "ab"; import "@x/bc";'],
  ["no file", 'import "./a"; import "node:fs";', 'import "./a"; import "node:fs";'],
  ["no text", '// from "a"\nconst from = "a";', '// from "a"\nconst from = "a";'],
  ["no computed name", "await import(a);", "await import(a);"],
];

for (const [name, source, result] of SOURCES) {
  Deno.test(`unfurlImports() rewrites ${name}`, () => {
    strictEqual(unfurlImports(source, IMPORTS), result);
  });
}
