import { strictEqual } from "node:assert/strict";
import { needsRoot } from "../testing/needs_root.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { sharedFolderAbove, toTempFolderError } from "./temp_folder.ts";

const STATES = {
  ENOSPC: "its disk is full; remove files from it, or set TMPDIR",
  EROFS: "its file system is read-only; set TMPDIR to another one",
  EACCES: "the server's user may not write to it; change its mode, or set TMPDIR",
};

for (const [code, state] of Object.entries(STATES)) {
  Deno.test(`toTempFolderError() describes ${code}`, () => {
    const { message } = toTempFolderError("/t", Object.assign(new Error("os"), { code }));
    strictEqual(message, `Cannot use the temporary folder "/t": ${state}`);
  });
}

Deno.test("toTempFolderError() repeats the text of an unknown error", () => {
  const { message } = toTempFolderError("/t", new Error("Too many open files (os error 24)"));
  strictEqual(message, 'Cannot use the temporary folder "/t": Too many open files (os error 24)');
});

Deno.test("sharedFolderAbove() finds the folder that other users may write to", async () => {
  await using temp = await createTempFolder();
  const inner = `${temp.path}/shared/private`;
  await Deno.mkdir(inner, { recursive: true });
  await Deno.chmod(`${temp.path}/shared`, 0o1777);
  strictEqual(await sharedFolderAbove(`${inner}/script.js`), `${temp.path}/shared`);
  strictEqual(await sharedFolderAbove("/usr/bin/script.js"), undefined);
});

Deno.test(...needsRoot("sharedFolderAbove() finds the folder of another user"), async () => {
  await using temp = await createTempFolder();
  await Deno.chown(temp.path, 65_534, 65_534);
  strictEqual(await sharedFolderAbove(`${temp.path}/script.js`), temp.path);
});
