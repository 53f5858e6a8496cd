import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { ROOT } from "../../test_support/root.ts";
import { isWholeRun } from "../../test_support/tier.ts";
import { sourceFiles } from "../source_files.ts";
import { buildPackage } from "./build_package.ts";
import { PROJECT } from "./package_manifest.ts";
import {
  createFixtureWorkspace,
  FIXTURE_TARGET,
  type FixtureFiles,
  listTree,
} from "./testing/fixture_workspace.ts";

async function build(files: FixtureFiles = {}) {
  const workspace = await createFixtureWorkspace(files);
  const root = workspace.path;
  try {
    const built = await buildPackage(root, FIXTURE_TARGET, `${root}/dist/npm`);
    return { ...built, root, [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose]() };
  } catch (error) {
    await workspace[Symbol.asyncDispose]();
    throw error;
  }
}

Deno.test("buildPackage() builds an npm package from a member", async (t) => {
  await using built = await build({ "dist/npm/box/esm/old.js": "" });

  await t.step(
    "it packs its documents and what the exports and programs reach, and nothing from earlier builds",
    async () => {
      strictEqual(built.tarball, `${built.root}/dist/npm/trestle-test-box-1.2.3.tgz`);
      const tar = new Deno.Command("tar", { args: ["-tzf", built.tarball] });
      const names = new TextDecoder().decode((await tar.output()).stdout).trim().split("\n");
      const code = ["bin", "mod", "serve", "src/core", "src/later"].flatMap((file) =>
        ["d.ts", "js", "js.map"].map((ending) => `esm/${file}.${ending}`)
      );
      const pages = ["CHANGELOG.md", "MIGRATION.md", "README.md", "docs/use.md"];
      const files = [...pages, "LICENSE", "package.json", ...code].sort();
      deepStrictEqual(names.sort(), files.map((name) => `package/${name}`));
      deepStrictEqual(await listTree(built.folder), files);
    },
  );

  await t.step(
    "it reads its name and version, and those of packages, from the manifests",
    async () => {
      const manifest = JSON.parse(await Deno.readTextFile(`${built.folder}/package.json`));
      const root = JSON.parse(await Deno.readTextFile(`${built.root}/deno.json`));
      const documents = "@graphql-typed-document-node/core";
      deepStrictEqual(manifest, {
        name: "@trestle-test/box",
        version: "1.2.3",
        description: "Opens any box at all.",
        keywords: ["box"],
        ...PROJECT,
        license: "MIT",
        type: "module",
        sideEffects: false,
        engines: { node: ">=20.19" },
        bin: { "trestle-box": "esm/bin.js" },
        files: ["esm", "CHANGELOG.md", "MIGRATION.md", "docs"],
        exports: {
          ".": { types: "./esm/mod.d.ts", default: "./esm/mod.js" },
          "./core": { types: "./esm/src/core.d.ts", default: "./esm/src/core.js" },
          "./serve": { types: "./esm/serve.d.ts", default: "./esm/serve.js" },
          "./package.json": "./package.json",
        },
        dependencies: {
          [documents]: root.imports[documents].split("@").at(-1),
          ws: root.imports.ws.split("@").at(-1),
        },
        peerDependencies: { graphql: "^16 || ^17" },
      });
    },
  );

  await t.step(
    "its source maps contain their source, its types name packed files, and no file contains a path of this machine",
    async () => {
      for (const path of await listTree(built.folder)) {
        const text = await Deno.readTextFile(`${built.folder}/${path}`);
        ok(!text.includes(built.root) && !text.includes("npm-build-"), path);
        ok(!path.endsWith(".d.ts") || !/"\.[^"]*\.ts"/.test(text), path);
        if (!path.endsWith(".map")) continue;
        const { sources, sourcesContent, sourceRoot } = JSON.parse(text);
        const source = path.replace(/^esm\//, "").replace(/\.js\.map$/, ".ts");
        deepStrictEqual([sources, sourceRoot], [[source.split("/").at(-1)], ""]);
        strictEqual(sourcesContent[0], await Deno.readTextFile(`${built.root}/box/${source}`));
      }
    },
  );
});

const REFUSED: readonly [name: string, files: FixtureFiles, message: RegExp][] = [
  [
    "a file that uses Deno",
    { "box/src/later.ts": "export const later = (): number => Deno.pid;\n" },
    /^Cannot compile for npm: src\/later\.ts\(1,\d+\): .*'Deno'/,
  ],
  [
    "a file for browsers that uses what only Node has",
    { "box/src/later.ts": "export const later = (): number => process.pid;\n" },
    /^Cannot compile for npm: src\/later\.ts\(1,\d+\): .*'process'/,
  ],
  [
    "a method that Node 20 lacks",
    { "box/src/later.ts": "export const later = Promise.withResolvers<number>();\n" },
    /^Cannot compile for npm: src\/later\.ts\(1,\d+\): .*'withResolvers'/,
  ],
  [
    "a file outside of the member",
    { "box/src/later.ts": 'export * from "../../far.ts";\n', "far.ts": "export const a = 1;\n" },
    /^Cannot pack "box": it imports far\.ts$/,
  ],
  [
    "a peer that no file imports",
    { "box/src/core.ts": "export const open = 1;\n" },
    /^Cannot pack "@trestle-test\/box": no file imports its peer "graphql"$/,
  ],
  [
    "a package that the import map lacks",
    { "box/src/later.ts": 'import type {} from "nowhere";\nexport const later = 1;\n' },
    /^Cannot pack "@trestle-test\/box": the import map has no npm version of "nowhere"$/,
  ],
  [
    "a member without a change log",
    { "box/CHANGELOG.md": null },
    /^Cannot pack "box": box\/CHANGELOG\.md is missing$/,
  ],
];

// In a run of every day, one that does not compile and one that can't be packed: each is compiled.
const SOME = REFUSED.filter((_, index) => isWholeRun || index % 3 === 0);

for (const [name, files, message] of SOME) {
  Deno.test(`buildPackage() rejects ${name}`, async () => {
    await rejects(build(files), ({ message: text }: Error) => {
      match(text, message);
      return true;
    });
  });
}

Deno.test("the pages clone the repository that the manifests name", async () => {
  const pages = (await sourceFiles(ROOT, [".md"])).map((path) => `${ROOT}/${path}`);
  const texts = await Promise.all(pages.map((path) => Deno.readTextFile(path)));
  const urls = texts.flatMap((text) => [...text.matchAll(/git clone (https:[^\s`]+)/g)]);
  ok(urls.length > 0);
  for (const [, url] of urls) strictEqual(url, PROJECT.repository.url);
});
