import { deepStrictEqual, fail, ok } from "node:assert/strict";
import { ROOT } from "../../test_support/root.ts";
import { needlessFiles, readNpmPackages } from "./program_parts.ts";

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
  "lib/only.min.js",
  "dist/other-Ab3_-x9Z.cjs",
  "dist/part-DdvbAHrR.mjs",
];

const NEEDLESS = [
  "README.md",
  "dist/index.cjs",
  "index.cjs",
  "dist/index.d.ts",
  "dist/index.d.mts",
  "dist/index.js.map",
  "dist/part-BvE2tDzk.cjs",
  "build/index.umd.js",
  "build/index.umd.min.js",
  "lib/umd.min.js",
  "lib/umd.test.js",
  "build/amd/index.js",
  "build/cjs-browser/index.js",
  "build/global/index.js",
  "src/index.ts",
  "src/binding.cc",
  "test/a.js",
  "docs/a.js",
  "test/fixtures/id_rsa",
  "binding.gyp",
];

Deno.test("needlessFiles() leaves out the parts of packages that nothing imports", () => {
  const packages = [{ folder: "/npm/zod/4.0.0", files: ["v3/types.js", "v4/core/api.js"] }];
  deepStrictEqual(needlessFiles(packages), ["/npm/zod/4.0.0/v3/types.js"]);
});

Deno.test("needlessFiles() keeps every part of jose that the check of tokens imports", async () => {
  const entry = "mcp_server/access/jose_package.ts";
  const [jose = fail("there is no package"), ...others] = await readNpmPackages(ROOT, [entry]);
  deepStrictEqual(others, []);
  const left = new Set(needlessFiles([jose]));
  const reached = new Set<string>();
  const read = async (path: string): Promise<void> => {
    if (reached.has(path)) return;
    reached.add(path);
    const imports = (await Deno.readTextFile(path)).matchAll(/(?:from|import)\s*"(\.[^"]+)"/g);
    for (const [, to = ""] of imports) await read(new URL(to, `file://${path}`).pathname);
  };
  for (const part of ["jwks/local", "jwt/verify", "util/decode_jwt"]) {
    await read(`${jose.folder}/dist/webapi/${part}.js`);
  }
  ok(reached.size > 5 && left.size > 30);
  deepStrictEqual([...reached].filter((path) => left.has(path)), []);
});

Deno.test("needlessFiles() leaves out the sources of a package that has a bundle of them", () => {
  const bundled = { folder: "/npm/a/1.0.0", files: ["src/a.js", "build/es6/a.mjs"] };
  const plain = { folder: "/npm/b/1.0.0", files: ["src/b.js", "build/b.node"] };
  deepStrictEqual(needlessFiles([bundled, plain]), ["/npm/a/1.0.0/src/a.js"]);
});

Deno.test("needlessFiles() keeps code, data that is read, and licenses", () => {
  const files = [...NEEDED, ...NEEDLESS];
  deepStrictEqual(
    needlessFiles([{ folder: "/npm/a/1.0.0", files }, { folder: "/npm/b/1.0.0", files: NEEDED }]),
    NEEDLESS.map((file) => `/npm/a/1.0.0/${file}`),
  );
});
