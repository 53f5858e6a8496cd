import { deepStrictEqual, rejects } from "node:assert/strict";
import { dirname, join } from "node:path";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { findSchemaFiles } from "./schema_files.ts";

async function createFiles(...paths: readonly string[]) {
  const folder = await createTempFolder();
  for (const path of paths) {
    await Deno.mkdir(dirname(join(folder.path, path)), { recursive: true });
    await Deno.writeTextFile(join(folder.path, path), "");
  }
  return folder;
}

Deno.test("findSchemaFiles() finds what paths, folders and globs name", async () => {
  await using temp = await createFiles(
    "a.graphql",
    "b.json",
    "schema/b.gql",
    "schema/a.graphqls",
    "schema/notes.md",
    "schema/deep/[x]/c.graphql",
    "schema/node_modules/d.graphql",
    "schema/.git/e.graphql",
  );
  const cases: [string[], string[]][] = [
    [["a.graphql"], ["a.graphql"]],
    [["nowhere.graphql"], ["nowhere.graphql"]],
    [["schema"], ["schema/a.graphqls", "schema/b.gql", "schema/deep/[x]/c.graphql"]],
    [["schema/*.gql"], ["schema/b.gql"]],
    [["**/*.graphql"], ["a.graphql", "schema/deep/[x]/c.graphql"]],
    [["*.{json,graphql}"], ["a.graphql", "b.json"]],
    [["schema/deep/[x]/c.graphql"], ["schema/deep/[x]/c.graphql"]],
    [["schema/b.gql", "schema/*.g*"], ["schema/b.gql", "schema/a.graphqls"]],
  ];
  for (const [sources, expected] of cases) {
    const files = await findSchemaFiles(sources.map((one) => join(temp.path, one)));
    deepStrictEqual(files, expected.map((one) => join(temp.path, one)), sources.join(" "));
  }
});

Deno.test("findSchemaFiles() rejects folders and globs without a file", async () => {
  await using temp = await createFiles("schema/notes.md");
  const folder = join(temp.path, "schema");
  await rejects(findSchemaFiles([folder]), {
    name: "ServeError",
    message: `Cannot serve "${folder}": there is no .graphql, .graphqls or .gql file in it`,
  });
  await rejects(findSchemaFiles([`${folder}/*.graphql`]), {
    name: "ServeError",
    message: `Cannot serve "${folder}/*.graphql": there is no such file`,
  });
});
