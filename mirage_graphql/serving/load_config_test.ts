import { deepStrictEqual, rejects } from "node:assert/strict";
import { relative } from "node:path";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { loadConfig } from "./load_config.ts";

const SOURCES: readonly (readonly [source: string, expected: (folder: string) => string])[] = [
  ["schema", (folder) => relative("", `${folder}/config/schema`)],
  ["../schema/**/*.graphql", (folder) => relative("", `${folder}/schema/**/*.graphql`)],
  ["/srv/app/schema.graphql", () => relative("", "/srv/app/schema.graphql")],
  ["https://api.example.com/graphql", () => "https://api.example.com/graphql"],
];

for (const [source, expected] of SOURCES) {
  Deno.test(`loadConfig() finds the schema "${source}" from the folder of the file`, async () => {
    await using temp = await createTempFolder();
    await Deno.mkdir(`${temp.path}/config`);
    const path = `${temp.path}/config/mock.mjs`;
    await Deno.writeTextFile(path, `export default { schema: ${JSON.stringify(source)} };`);
    deepStrictEqual((await loadConfig(path)).schema, [expected(temp.path)]);
  });
}

Deno.test("loadConfig() reads a file again that has changed", async () => {
  await using temp = await createTempFolder();
  const path = `${temp.path}/mock.mjs`;
  for (const port of [1, 20]) {
    await Deno.writeTextFile(path, `export default { port: ${port} };`);
    deepStrictEqual(await loadConfig(path), { port });
  }
});

Deno.test("loadConfig() rejects a file without settings", async () => {
  await using temp = await createTempFolder();
  const path = `${temp.path}/mock.mjs`;
  await Deno.writeTextFile(path, "export const port = 1;");
  await rejects(loadConfig(path), {
    name: "ServeError",
    message: `${path}: Cannot use it: it has no default export with the settings`,
  });
});
