import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { type Change, watchScopeOf } from "./watch_scope.ts";

const { changeOf } = watchScopeOf({
  files: ["/none/schema/a.graphql", "/none/schema/blog/b.graphql", "/none/seeds.json"],
  folders: ["/none/schema", "/none/schema/blog", "/none/schema/empty"],
});

const EVENTS: readonly (readonly [Deno.FsEvent["kind"], string, Change | undefined])[] = [
  ["modify", "/none/schema/a.graphql", "file"],
  ["rename", "/none/seeds.json", "file"],
  ["access", "/none/schema/a.graphql", undefined],
  ["create", "/none/schema/c.graphql", "list"],
  ["remove", "/none/schema/empty", "list"],
  ["modify", "/none/schema/c.graphql", undefined],
  ["create", "/none/notes.md", undefined],
  ["remove", "/none/schema/blog", "folder"],
  ["create", "/none", "folder"],
  ["modify", "/none/schema", undefined],
  ["create", "/none/sch", undefined],
];

for (const [kind, path, expected] of EVENTS) {
  Deno.test(`changeOf() of the event ${kind} of ${path} is ${expected}`, () => {
    strictEqual(changeOf({ kind, paths: [path] }), expected);
  });
}

Deno.test("watchScopeOf() finds both ends of links, and the nearest folder above a missing one", async () => {
  await using temp = await createTempFolder();
  const { path } = temp;
  await Deno.mkdir(`${path}/target`);
  await Deno.writeTextFile(`${path}/target/a`, "");
  await Deno.symlink("target/a", `${path}/link`);
  const scope = watchScopeOf({ files: [`${path}/link`, `${path}/x/y/b`], folders: [`${path}/z`] });
  deepStrictEqual(scope.folders, [path, `${path}/target`]);
  strictEqual(scope.isOutdated(), false);
  await Deno.mkdir(`${path}/x`);
  strictEqual(scope.isOutdated(), true);
});

Deno.test("watchScopeOf() watches a folder that was listed as a file while it was missing", async () => {
  await using temp = await createTempFolder();
  const { path } = temp;
  const paths = { files: [`${path}/schema`], folders: [] };
  const missing = watchScopeOf(paths);
  deepStrictEqual([missing.folders, missing.isOutdated()], [[path], false]);
  await Deno.mkdir(`${path}/schema`);
  strictEqual(missing.isOutdated(), true);
  const found = watchScopeOf(paths);
  deepStrictEqual([found.folders, found.isOutdated()], [[path, `${path}/schema`], false]);
  strictEqual(found.changeOf({ kind: "create", paths: [`${path}/schema/a`] }), "list");
  strictEqual(found.changeOf({ kind: "remove", paths: [`${path}/schema`] }), "folder");
  await Deno.remove(`${path}/schema`);
  strictEqual(found.isOutdated(), true);
});
