import { deepStrictEqual, rejects } from "node:assert/strict";
import { sourceFiles } from "./source_files.ts";

Deno.test("sourceFiles() lists tracked and new files, not ignored or deleted ones", async () => {
  const root = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${root}/a b`);
    for (const file of ["a b/tracked.ts", "deleted.ts", "ignored.ts", "other.md"]) {
      await Deno.writeTextFile(`${root}/${file}`, "");
    }
    await Deno.writeTextFile(`${root}/.gitignore`, "/ignored.ts\n");
    for (const args of [["init", "-q"], ["add", "."]]) {
      await new Deno.Command("git", { args, cwd: root }).output();
    }
    await Deno.remove(`${root}/deleted.ts`);
    await Deno.writeTextFile(`${root}/new.ts`, "");
    deepStrictEqual(await sourceFiles(root, [".ts"]), ["a b/tracked.ts", "new.ts"]);
    deepStrictEqual(await sourceFiles(root, [".md", "w.ts"]), ["new.ts", "other.md"]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("sourceFiles() rejects a folder that is not a repository", async () => {
  await rejects(sourceFiles("/", [".ts"]), /^Error: Cannot list the files of "\/": /);
});
