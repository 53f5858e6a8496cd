import { deepStrictEqual } from "node:assert/strict";
import { needlessFiles } from "./program_parts.ts";

const NEEDED = [
  "package.json",
  "index.js",
  "dist/index.mjs",
  "dist/only.cjs",
  "build/native.node",
  "lib/data.wasm",
  "LICENSE",
  "licenses/LICENCE.md",
  "NOTICE.txt",
  "lib/testing.js",
  "lib/umd.js",
];

const NEEDLESS = [
  "README.md",
  "dist/index.cjs",
  "index.cjs",
  "dist/index.d.ts",
  "dist/index.d.mts",
  "dist/index.js.map",
  "build/index.umd.js",
  "build/index.umd.min.js",
  "src/index.ts",
  "src/binding.cc",
  "test/a.js",
  "docs/a.js",
  "test/fixtures/id_rsa",
  "binding.gyp",
];

Deno.test("needlessFiles() keeps code, data that is read, and licenses", () => {
  const files = [...NEEDED, ...NEEDLESS];
  deepStrictEqual(
    needlessFiles([{ folder: "/npm/a/1.0.0", files }, { folder: "/npm/b/1.0.0", files: NEEDED }]),
    NEEDLESS.map((file) => `/npm/a/1.0.0/${file}`),
  );
});
