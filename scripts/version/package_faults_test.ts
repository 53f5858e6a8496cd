import { deepStrictEqual } from "node:assert/strict";
import { ROOT } from "../../test_support/root.ts";
import { createRepository } from "../testing/create_repository.ts";
import { packageFaults } from "./package_faults.ts";

const FILES = {
  "deno.json": { workspace: ["./a"] },
  "a/deno.json": { name: "@x/a", version: "0.2.0", license: "MIT", exports: "./mod.ts" },
  "a/README.md": "# @x/a\n",
  "a/CHANGELOG.md": "# Changelog\n\n## 0.2.0 (2026-11-21)\n",
};

const FAULTS: readonly [name: string, files: Record<string, string>, faults: string[]][] = [
  ["nothing if everything agrees", {}, []],
  ["a README of another name", { "a/README.md": "# a\n" }, [
    'a/README.md is titled "a", the package is @x/a',
  ]],
  ["a change log of another version", { "a/CHANGELOG.md": "# Changelog\n\n## 0.1.0\n" }, [
    "a/CHANGELOG.md names 0.1.0, the package is 0.2.0",
  ]],
  ["an empty change log", { "a/CHANGELOG.md": "# Changelog\n" }, [
    "a/CHANGELOG.md names no version, the package is 0.2.0",
  ]],
  ["another version in a text", { "docs/b.md": "\n\nnpm i @x/a@^0.1.0\n" }, [
    "docs/b.md:3 mentions @x/a 0.1.0, the package is 0.2.0",
  ]],
  ["an archive that doesn't exist", { "README.md": "npm i ./x-a-0.1.0.tgz\n" }, [
    "README.md:1 mentions @x/a 0.1.0, the package is 0.2.0",
  ]],
  ["an import that fails", { "README.md": 'import "@x/a/core";\n' }, [
    'README.md:1 imports "./core" of @x/a, which it lacks',
  ]],
  ["an unknown package", { "README.md": 'import "@x/b";\n' }, [
    "README.md:1 mentions @x/b, which is not a package of this repository",
  ]],
];

for (const [name, files, faults] of FAULTS) {
  Deno.test(`packageFaults() finds ${name}`, async () => {
    await using root = await createRepository({ ...FILES, ...files });
    deepStrictEqual(await packageFaults(root.path), faults);
  });
}

Deno.test("the texts of this repository and its packages agree", async () => {
  const faults = await packageFaults(ROOT);
  deepStrictEqual(faults.filter((fault) => !isOfDraft(fault, faults)), []);
});

/** A package without a README is not ready to be published. */
function isOfDraft(fault: string, faults: readonly string[]): boolean {
  return faults.includes(`${fault.split("/", 1)[0]}/README.md is missing`);
}
