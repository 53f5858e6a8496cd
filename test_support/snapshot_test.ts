import { rejects } from "node:assert/strict";
import { compareSnapshot } from "./snapshot.ts";

Deno.test("compareSnapshot() rejects a text that differs from the stored one, or that is new", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/kept.txt`, "as it was");
  await compareSnapshot(`${folder}/kept.txt`, "as it was");
  await rejects(compareSnapshot(`${folder}/kept.txt`, "otherwise"), /UPDATE_SNAPSHOTS=1/);
  await rejects(compareSnapshot(`${folder}/new.txt`, "text"), /UPDATE_SNAPSHOTS=1/);
  await Deno.remove(folder, { recursive: true });
});
