import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { SHARED_FOLDER, sharedFolder } from "./shared_folder.ts";
import { createTempFolder } from "./temp_folder.ts";

async function withShared<T>(path: string | undefined, run: () => Promise<T>): Promise<T> {
  const before = Deno.env.get(SHARED_FOLDER);
  const set = (value: string | undefined) =>
    value === undefined ? Deno.env.delete(SHARED_FOLDER) : Deno.env.set(SHARED_FOLDER, value);
  set(path);
  try {
    return await run();
  } finally {
    set(before);
  }
}

const make = (folder: string) => Deno.writeTextFile(`${folder}/file`, folder);

Deno.test("sharedFolder() makes a folder once a run, also for those that ask at the same time", async () => {
  await using root = await createTempFolder();
  await withShared(root.path, async () => {
    let made = 0;
    const count = async (folder: string) => {
      made++;
      await make(folder);
    };
    const folders = await Promise.all([1, 2, 3].map(() => sharedFolder("keys", count)));
    strictEqual(made, 1);
    const later = await sharedFolder("keys", () => Promise.reject(new Error("made again")));
    await later[Symbol.asyncDispose]();
    const texts = new Set<string>();
    for (const { path } of [...folders, later]) texts.add(await Deno.readTextFile(`${path}/file`));
    strictEqual(texts.size, 1);
    const names = Array.from(Deno.readDirSync(root.path), ({ name }) => name).sort();
    deepStrictEqual(names, ["keys", "keys.lock"]);
  });
});

Deno.test("sharedFolder() makes nothing that is incomplete", async () => {
  await using root = await createTempFolder();
  await withShared(root.path, async () => {
    await rejects(sharedFolder("keys", () => Promise.reject(new Error("no"))), /^Error: no$/);
    await using folder = await sharedFolder("keys", make);
    strictEqual((await Deno.readTextFile(`${folder.path}/file`)).length > 0, true);
  });
});

Deno.test("sharedFolder() makes one for a test that runs alone, which is removed with it", async () => {
  await withShared(undefined, async () => {
    const folder = await sharedFolder("keys", make);
    strictEqual(await Deno.readTextFile(`${folder.path}/file`), folder.path);
    await folder[Symbol.asyncDispose]();
    await rejects(Deno.stat(folder.path), Deno.errors.NotFound);
  });
});
