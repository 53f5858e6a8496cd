import { deepStrictEqual, rejects } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { processesWith } from "./processes.ts";
import { requiresSshd, startSshd } from "./sshd.ts";

Deno.test({
  ...requiresSshd("startSshd() leaves neither a folder nor a process if sshd does not start"),
  async fn() {
    await using folder = await createTempFolder();
    const before = Deno.env.get("TMPDIR");
    Deno.env.set("TMPDIR", folder.path);
    try {
      await rejects(startSshd("NoSuchOption yes"), /^Error: Cannot start sshd: it ended with \d+$/);
    } finally {
      if (before === undefined) Deno.env.delete("TMPDIR");
      else Deno.env.set("TMPDIR", before);
    }
    deepStrictEqual([...Deno.readDirSync(folder.path)], []);
    deepStrictEqual(await processesWith(folder.path), []);
  },
});
