import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { createRepository } from "../testing/create_repository.ts";
import { readMembers } from "../workspace.ts";
import { packageFaults } from "./package_faults.ts";
import { raiseVersions } from "./raise_versions.ts";

const FILES = {
  "deno.json": { workspace: ["./api_one", "./two"] },
  "README.md": "# X\n\n`npm i @x/one@0.1.0`, `x-two-1.4.2.tgz`, `@x/one/core`\n",
  "api_one/deno.json": {
    name: "@x/one",
    version: "0.1.0",
    license: "MIT",
    exports: { ".": "./mod.ts", "./core": "./core.ts" },
  },
  "api_one/README.md": "# @x/one\n",
  "api_one/docs/health.md": '{ "version": "0.1.0", "of": { "version": "1.4.2" } }\n',
  "api_one/CHANGELOG.md": "# Changelog\n\n## Unreleased\n\nMore.\n\n## 0.1.0\n\nFirst.\n",
  "two/deno.json": { name: "@x/two", version: "1.4.2", license: "MIT", exports: "./mod.ts" },
  "two/README.md": '# @x/two\n\nimport "@x/two"\n',
  "two/CHANGELOG.md": "# Changelog\n\n## 1.4.2\n\nFirst.\n",
  "api_one/examples/app/package.json": { dependencies: { "@x/one": "file:x-one-0.1.0.tgz" } },
};

const DATE = "2026-11-21";

async function versionsOf(root: string): Promise<string[]> {
  return (await readMembers(root)).map(({ version }) => version);
}

Deno.test("raiseVersions() raises all packages, and everything that mentions them agrees", async () => {
  await using root = await createRepository(FILES);
  deepStrictEqual(await packageFaults(root.path), []);
  await raiseVersions(root.path, { step: "minor", packages: [], date: DATE });
  deepStrictEqual(await versionsOf(root.path), ["0.2.0", "1.5.0"]);
  deepStrictEqual(await packageFaults(root.path), []);
  strictEqual(
    await Deno.readTextFile(`${root.path}/README.md`),
    "# X\n\n`npm i @x/one@0.2.0`, `x-two-1.5.0.tgz`, `@x/one/core`\n",
  );
  strictEqual(
    await Deno.readTextFile(`${root.path}/api_one/docs/health.md`),
    '{ "version": "0.2.0", "of": { "version": "1.4.2" } }\n',
  );
  const example = await Deno.readTextFile(`${root.path}/api_one/examples/app/package.json`);
  deepStrictEqual(JSON.parse(example), { dependencies: { "@x/one": "file:x-one-0.2.0.tgz" } });
  strictEqual(
    await Deno.readTextFile(`${root.path}/api_one/CHANGELOG.md`),
    `# Changelog\n\n## 0.2.0 (${DATE})\n\nMore.\n\n## 0.1.0\n\nFirst.\n`,
  );
});

Deno.test("raiseVersions() raises one package only, by its name or by its folder", async () => {
  await using root = await createRepository(FILES);
  await raiseVersions(root.path, { step: "major", packages: ["@x/two"], date: DATE });
  deepStrictEqual(await versionsOf(root.path), ["0.1.0", "2.0.0"]);
  await raiseVersions(root.path, { step: "0.1.5", packages: ["api_one"], date: DATE });
  deepStrictEqual(await versionsOf(root.path), ["0.1.5", "2.0.0"]);
  deepStrictEqual(await packageFaults(root.path), []);
});

Deno.test("raiseVersions() starts a change log if there is none", async () => {
  const { "two/CHANGELOG.md": _gone, ...files } = FILES;
  await using root = await createRepository(files);
  deepStrictEqual(await packageFaults(root.path), ["two/CHANGELOG.md is missing"]);
  await raiseVersions(root.path, { step: "patch", packages: ["two"], date: DATE });
  strictEqual(
    await Deno.readTextFile(`${root.path}/two/CHANGELOG.md`),
    `# Changelog\n\n## 1.4.3 (${DATE})\n`,
  );
});

Deno.test("raiseVersions() writes nothing if one package can't be raised", async () => {
  await using root = await createRepository(FILES);
  const refuse = (step: string, packages: string[], message: RegExp) =>
    rejects(raiseVersions(root.path, { step, packages, date: DATE }), {
      name: "RangeError",
      message,
    });
  await refuse("1.0.0", [], /^Cannot raise the version 1.4.2 to "1.0.0": it must come later$/);
  await refuse("patch", ["three"], /^Cannot raise "three": the workspace has api_one, two$/);
  deepStrictEqual(await versionsOf(root.path), ["0.1.0", "1.4.2"]);
});
