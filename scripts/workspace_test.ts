import { deepStrictEqual } from "node:assert/strict";
import { createRepository } from "./testing/create_repository.ts";
import { exportedFiles, readMembers } from "./workspace.ts";

const COMMON = { version: "0.1.0", license: "MIT" };
const FILES = {
  "deno.json": { workspace: ["./a", "b", "./page"] },
  "a/deno.json": {
    ...COMMON,
    name: "@x/a",
    exports: { ".": "./mod.ts", "./core": "./src/core.ts" },
  },
  "page/deno.json": { compilerOptions: { lib: ["dom"] } },
  "b/deno.json": { ...COMMON, name: "@x/b", exports: "./b.ts" },
};

Deno.test("exportedFiles() lists the exports of every package of the workspace", async () => {
  await using root = await createRepository(FILES);
  deepStrictEqual(await exportedFiles(root.path), ["a/mod.ts", "a/src/core.ts", "b/b.ts"]);
});

Deno.test("readMembers() reads each package with its folder, and leaves out what is none", async () => {
  await using root = await createRepository(FILES);
  const members = await readMembers(root.path);
  deepStrictEqual(members.map(({ folder, name }) => [folder, name]), [["a", "@x/a"], [
    "b",
    "@x/b",
  ]]);
  deepStrictEqual(members[1]?.exports, { ".": "./b.ts" });
});
