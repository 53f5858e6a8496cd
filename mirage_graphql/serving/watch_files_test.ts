import { deepStrictEqual, notStrictEqual, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { fingerprintOf, watchFiles } from "./watch_files.ts";

/** Looks that the test answers one by one. */
function createLooks() {
  const asked: ((text: string) => void)[] = [];
  let isAsked = Promise.withResolvers<void>();
  // watching alone keeps no process running
  const running = setInterval(() => {}, 60_000);
  return {
    [Symbol.dispose]: () => clearInterval(running),
    look: () =>
      new Promise<string>((resolve) => {
        asked.push(resolve);
        isAsked.resolve();
      }),
    async answer(text: string) {
      await isAsked.promise;
      isAsked = Promise.withResolvers();
      asked.shift()?.(text);
    },
  };
}

Deno.test("watchFiles() reports a change once two looks agree on it, and not one that was undone", async () => {
  using looks = createLooks();
  const { look, answer } = looks;
  const reported: string[] = [];
  let last = "";
  const onChange = () => {
    reported.push(last);
    return Promise.resolve();
  };
  await using _watching = watchFiles({ look, seen: "a", onChange });
  for (const text of ["a", "b", "a", "c", "d", "d", "d", "e", "e", "e"]) {
    last = text;
    await answer(text);
  }
  deepStrictEqual(reported, ["d", "e"]);
  await answer("e");
});

Deno.test("watchFiles() looks no more once it is disposed of, and waits for what it reports", async () => {
  using looks = createLooks();
  const { look, answer } = looks;
  const [started, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isOver = false;
  const watching = watchFiles({
    look,
    seen: "a",
    async onChange() {
      started.resolve();
      await ended.promise;
      isOver = true;
    },
  });
  await answer("b");
  await answer("b");
  await started.promise;
  const disposing = watching[Symbol.asyncDispose]();
  ended.resolve();
  await disposing;
  strictEqual(isOver, true);
});

Deno.test("fingerprintOf() differs once a file is written, replaced, removed or linked elsewhere", async () => {
  await using temp = await createTempFolder();
  const [path, link] = [`${temp.path}/a`, `${temp.path}/link`];
  const steps: (() => Promise<void>)[] = [
    () => Deno.writeTextFile(path, "one"),
    () => Deno.symlink("a", link),
    () => Deno.writeTextFile(path, "three"),
    async () => {
      await Deno.writeTextFile(`${temp.path}/b`, "replaced");
      await Deno.rename(`${temp.path}/b`, path);
    },
    () => Deno.remove(path),
    () => Deno.mkdir(path),
  ];
  let before = await fingerprintOf([path, link]);
  for (const step of steps) {
    await step();
    const after = await fingerprintOf([path, link]);
    notStrictEqual(after, before);
    strictEqual(await fingerprintOf([path, link]), after);
    before = after;
  }
});
