import { deepStrictEqual } from "node:assert/strict";
import { diffEdits, withEdits } from "../../test_support/markdown.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { run as runOld } from "../testdata/migration/old_program.js";

const OLD_PROGRAM = new URL("../testdata/migration/old_program.js", import.meta.url);
const PAGE = new URL("../MIGRATION.md", import.meta.url);

Deno.test("a program for @miragejs/graphql answers the same after the edit of MIGRATION.md", async () => {
  await using folder = await createTempFolder();
  const edits = diffEdits(await Deno.readTextFile(PAGE));
  const edited = withEdits(await Deno.readTextFile(OLD_PROGRAM), edits);
  await Deno.writeTextFile(`${folder.path}/program.js`, edited);
  const { run } = await import(`file://${folder.path}/program.js`);
  deepStrictEqual(await run(), await runOld());
});
