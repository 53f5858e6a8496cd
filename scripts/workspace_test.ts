import { deepStrictEqual } from "node:assert/strict";
import { exportedFiles } from "./workspace.ts";

Deno.test("exportedFiles() lists the exports of every package of the workspace", async () => {
  const root = await Deno.makeTempDir();
  try {
    const manifests = {
      ".": { workspace: ["./a", "b"] },
      a: { name: "@x/a", exports: { ".": "./mod.ts", "./core": "./src/core.ts" } },
      b: { exports: "./b.ts" },
    };
    for (const [folder, manifest] of Object.entries(manifests)) {
      await Deno.mkdir(`${root}/${folder}`, { recursive: true });
      await Deno.writeTextFile(`${root}/${folder}/deno.json`, JSON.stringify(manifest));
    }
    deepStrictEqual(await exportedFiles(root), ["a/mod.ts", "a/src/core.ts", "b/b.ts"]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
